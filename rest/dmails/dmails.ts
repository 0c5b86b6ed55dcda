import {
  DmailsCreateDocument,
  DmailsDeleteDocument,
  DmailsIndexDocument,
  DmailsMarkAllAsReadDocument,
  DmailsShowDocument,
  DmailsUpdateDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const dmails = resource("dmail", [
  { method: "GET", path: "/dmails", document: DmailsIndexDocument },
  { method: "GET", path: "/dmails/:id", document: DmailsShowDocument },
  { method: "POST", path: "/dmails", document: DmailsCreateDocument },
  { method: "PUT", path: "/dmails/:id", document: DmailsUpdateDocument },
  { method: "DELETE", path: "/dmails/:id", document: DmailsDeleteDocument },
  { method: "POST", path: "/dmails/mark_all_as_read", document: DmailsMarkAllAsReadDocument },
]);
