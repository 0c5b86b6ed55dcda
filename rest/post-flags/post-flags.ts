import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { omitNull } from "../adapter/views.js";

/** Who flagged is absent, not null, for those who may not know. */
const view = omitNull("creator_id", "creator_name");

export const postFlags = resource("post_flag", { record: documents.PostFlagFieldsFragmentDoc }, [
  { method: "GET", path: "/post_flags", field: "postFlags", view },
  { method: "GET", path: "/post_flags/:id", field: "postFlag", view },
  { method: "POST", path: "/post_flags", field: "createPostFlag", view },
]);
