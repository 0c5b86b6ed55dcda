import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const postAppeals = resource("post_appeal", { record: documents.PostAppealFieldsFragmentDoc }, [
  { method: "GET", path: "/post_appeals", field: "postAppeals" },
  { method: "GET", path: "/post_appeals/:id", field: "postAppeal" },
  { method: "POST", path: "/post_appeals", field: "createPostAppeal" },
]);
