import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";

export const postAppeals = readable("post_appeal", { record: documents.PostAppealFieldsFragmentDoc }, [
  { method: "POST", path: "/post_appeals", field: "createPostAppeal" },
]);
