import { UploadsCreateDocument, UploadsIndexDocument, UploadsShowDocument } from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const uploads = resource("upload", [
  { method: "GET", path: "/uploads", document: UploadsIndexDocument },
  { method: "GET", path: "/uploads/:id", document: UploadsShowDocument },
  { method: "POST", path: "/uploads", document: UploadsCreateDocument },
]);
