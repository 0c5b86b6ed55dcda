import {
  ProfileShowDocument,
  UsersCreateDocument,
  UsersIndexDocument,
  UsersShowDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { flatten } from "../adapter/views.js";

export const users = resource("user", [
  { method: "GET", path: "/users", document: UsersIndexDocument },
  { method: "GET", path: "/users/:id", document: UsersShowDocument, view: flatten("activity") },
  { method: "POST", path: "/users", document: UsersCreateDocument },
  { method: "GET", path: "/profile", document: ProfileShowDocument, view: flatten("activity", "settings") },
]);
