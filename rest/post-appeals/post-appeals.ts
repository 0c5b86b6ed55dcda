import { readable } from "../adapter/row.js";

const fields = "id post_id creator_id creator_name reason is_resolved status created_at updated_at";

export const postAppeals = readable("post_appeal", { fields }, [
  { method: "POST", path: "/post_appeals", field: "createPostAppeal" },
]);
