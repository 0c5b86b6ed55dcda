import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const uploads = resource("upload", { record: documents.UploadFieldsFragmentDoc }, [
  { method: "GET", path: "/uploads", field: "uploads" },
  { method: "GET", path: "/uploads/:id", field: "upload" },
  { method: "POST", path: "/uploads", field: "createUpload" },
]);
