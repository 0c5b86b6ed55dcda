import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const postAppeals = resource("post_appeal", [
  { method: "GET", path: "/post_appeals", document: documents.PostAppealsIndexDocument },
  { method: "GET", path: "/post_appeals/:id", document: documents.PostAppealsShowDocument },
  { method: "POST", path: "/post_appeals", document: documents.PostAppealsCreateDocument },
]);
