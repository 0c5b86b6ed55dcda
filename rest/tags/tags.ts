import { TagsIndexDocument, TagsShowDocument } from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const tags = resource("tag", [
  { method: "GET", path: "/tags", document: TagsIndexDocument },
  { method: "GET", path: "/tags/:id", document: TagsShowDocument },
]);
