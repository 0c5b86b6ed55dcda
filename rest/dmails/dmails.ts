import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const dmails = resource("dmail", { record: documents.DmailFieldsFragmentDoc }, [
  { method: "GET", path: "/dmails", field: "dmails" },
  { method: "GET", path: "/dmails/:id", document: documents.DmailsShowDocument },
  { method: "POST", path: "/dmails", field: "createDmail" },
  { method: "PUT", path: "/dmails/:id", field: "updateDmail" },
  { method: "DELETE", path: "/dmails/:id", field: "deleteDmail" },
  { method: "POST", path: "/dmails/mark_all_as_read", document: documents.DmailsMarkAllAsReadDocument },
]);
