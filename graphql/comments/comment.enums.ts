import { enumType } from "../shared/fields.js";

export const CommentOrder = enumType("CommentOrder", "Sort orders of comments.", {
  ID: ["id", "Newest first."],
  ID_ASC: ["id_asc", "Oldest first."],
  POST_ID: ["post_id", "By post, newest first."],
  POST_ID_ASC: ["post_id_asc", "By post, oldest first."],
  SCORE: ["score", "Highest score first."],
  SCORE_ASC: ["score_asc", "Lowest score first."],
  UPDATED_AT: ["updated_at", "Most recently edited first."],
  UPDATED_AT_ASC: ["updated_at_asc", "Least recently edited first."],
});
