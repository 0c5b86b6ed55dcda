import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const bans = resource("ban", { record: documents.BanFieldsFragmentDoc }, [
  { method: "GET", path: "/bans", field: "bans" },
  { method: "GET", path: "/bans/:id", field: "ban" },
]);
