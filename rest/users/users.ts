import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { flatten } from "../adapter/views.js";

export const users = resource("user", { record: documents.UserFieldsFragmentDoc }, [
  { method: "GET", path: "/users", field: "users" },
  { method: "GET", path: "/users/:id", document: documents.UsersShowDocument, view: flatten("activity") },
  { method: "PUT", path: "/users/:id", document: documents.UsersUpdateDocument, view: flatten("settings") },
  { method: "DELETE", path: "/users/:id", document: documents.UsersCloseDocument },
  {
    method: "PUT",
    path: "/users/:id/password",
    document: documents.UsersChangePasswordDocument,
    view: flatten("settings"),
  },
  {
    method: "PUT",
    path: "/users/:id/api_key",
    document: documents.UsersRotateApiKeyDocument,
    view: flatten("settings"),
  },
  { method: "POST", path: "/users/recover", field: "recoverAccount" },
  { method: "POST", path: "/users", field: "createUser" },
  { method: "GET", path: "/profile", document: documents.ProfileShowDocument, view: flatten("activity", "settings") },
]);
