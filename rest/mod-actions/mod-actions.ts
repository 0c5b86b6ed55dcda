import { ModActionsIndexDocument, ModActionsShowDocument } from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const modActions = resource("mod_action", [
  { method: "GET", path: "/mod_actions", document: ModActionsIndexDocument },
  { method: "GET", path: "/mod_actions/:id", document: ModActionsShowDocument },
]);
