import { SessionCreateDocument, SessionDeleteDocument } from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { described } from "../adapter/views.js";

const viewNothing = described(
  () => ({}),
  () => ({}),
);

export const session = resource("session", {}, [
  { method: "POST", path: "/session", document: SessionCreateDocument },
  { method: "DELETE", path: "/session", document: SessionDeleteDocument, view: viewNothing },
]);
