import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";

export const uploads = readable("upload", { record: documents.UploadFieldsFragmentDoc }, [
  { method: "POST", path: "/uploads", field: "createUpload" },
]);
