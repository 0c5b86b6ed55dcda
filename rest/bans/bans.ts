import { BansIndexDocument, BansShowDocument } from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const bans = resource("ban", [
  { method: "GET", path: "/bans", document: BansIndexDocument },
  { method: "GET", path: "/bans/:id", document: BansShowDocument },
]);
