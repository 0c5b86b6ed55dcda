import { readable } from "../adapter/row.js";
import { omitNull } from "../adapter/views.js";

const fields =
  "id post_id creator_id creator_name reason is_resolved is_deletion category status created_at updated_at";

/** Who flagged is absent, not null, for those who may not know. */
const view = omitNull("creator_id", "creator_name");

export const postFlags = readable("post_flag", { fields, view }, [
  { method: "POST", path: "/post_flags", field: "createPostFlag" },
]);
