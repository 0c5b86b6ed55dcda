import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const modActions = resource("mod_action", { record: documents.ModActionFieldsFragmentDoc }, [
  { method: "GET", path: "/mod_actions", field: "modActions" },
  { method: "GET", path: "/mod_actions/:id", field: "modAction" },
]);
