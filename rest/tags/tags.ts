import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const tags = resource("tag", { record: documents.TagFieldsFragmentDoc }, [
  { method: "GET", path: "/tags", field: "tags" },
  { method: "GET", path: "/tags/:id", field: "tag" },
]);
