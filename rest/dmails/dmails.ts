import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

const record = documents.DmailFieldsFragmentDoc;

const [head] = resource("dmail", { record }, [{ method: "GET", path: "/dmails/:id", field: "dmail" }]);

export const dmails = resource("dmail", { record }, [
  { method: "GET", path: "/dmails", field: "dmails" },
  { method: "GET", path: "/dmails/:id", document: documents.DmailsShowDocument, head },
  { method: "POST", path: "/dmails", field: "createDmail" },
  { method: "PUT", path: "/dmails/:id", field: "updateDmail" },
  { method: "DELETE", path: "/dmails/:id", field: "deleteDmail" },
  { method: "POST", path: "/dmails/mark_all_as_read", document: documents.DmailsMarkAllAsReadDocument },
]);
