import { readable } from "../adapter/row.js";

export const modActions = readable("mod_action", {
  fields: "id creator_id creator_name category description subject_type subject_id created_at updated_at",
});
