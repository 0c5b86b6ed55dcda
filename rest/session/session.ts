import { SessionCreateDocument, SessionDeleteDocument } from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const session = resource("session", [
  { method: "POST", path: "/session", document: SessionCreateDocument },
  { method: "DELETE", path: "/session", document: SessionDeleteDocument, view: () => ({}) },
]);
