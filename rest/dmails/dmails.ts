import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const dmails = resource("dmail", [
  { method: "GET", path: "/dmails", document: documents.DmailsIndexDocument },
  { method: "GET", path: "/dmails/:id", document: documents.DmailsShowDocument },
  { method: "POST", path: "/dmails", document: documents.DmailsCreateDocument },
  { method: "PUT", path: "/dmails/:id", document: documents.DmailsUpdateDocument },
  { method: "DELETE", path: "/dmails/:id", document: documents.DmailsDeleteDocument },
  { method: "POST", path: "/dmails/mark_all_as_read", document: documents.DmailsMarkAllAsReadDocument },
]);
