import {
  ProfileShowDocument,
  UsersChangePasswordDocument,
  UsersCloseDocument,
  UsersCreateDocument,
  UsersIndexDocument,
  UsersRecoverDocument,
  UsersRotateApiKeyDocument,
  UsersShowDocument,
  UsersUpdateDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { flatten } from "../adapter/views.js";

export const users = resource("user", [
  { method: "GET", path: "/users", document: UsersIndexDocument },
  { method: "GET", path: "/users/:id", document: UsersShowDocument, view: flatten("activity") },
  { method: "PUT", path: "/users/:id", document: UsersUpdateDocument, view: flatten("settings") },
  { method: "DELETE", path: "/users/:id", document: UsersCloseDocument },
  { method: "PUT", path: "/users/:id/password", document: UsersChangePasswordDocument, view: flatten("settings") },
  { method: "PUT", path: "/users/:id/api_key", document: UsersRotateApiKeyDocument, view: flatten("settings") },
  { method: "POST", path: "/users/recover", document: UsersRecoverDocument },
  { method: "POST", path: "/users", document: UsersCreateDocument },
  { method: "GET", path: "/profile", document: ProfileShowDocument, view: flatten("activity", "settings") },
]);
