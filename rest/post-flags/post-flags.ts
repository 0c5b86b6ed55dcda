import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";
import { omitNull } from "../adapter/views.js";

/** Who flagged is absent, not null, for those who may not know. */
const view = omitNull("creator_id", "creator_name");

export const postFlags = readable("post_flag", { record: documents.PostFlagFieldsFragmentDoc, view }, [
  { method: "POST", path: "/post_flags", field: "createPostFlag" },
]);
