import { readable } from "../adapter/row.js";

export const userFeedbacks = readable("user_feedback", {
  fields: "id user_id creator_id category body created_at updated_at",
});
