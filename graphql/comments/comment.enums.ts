import { registerEnumType } from "type-graphql";

export const CommentOrder = {
  ID: "id",
  ID_ASC: "id_asc",
  POST_ID: "post_id",
  POST_ID_ASC: "post_id_asc",
  SCORE: "score",
  SCORE_ASC: "score_asc",
  UPDATED_AT: "updated_at",
  UPDATED_AT_ASC: "updated_at_asc",
} as const;
registerEnumType(CommentOrder, {
  name: "CommentOrder",
  description: "Sort orders of comments.",
  valuesConfig: {
    ID: { description: "Newest first." },
    ID_ASC: { description: "Oldest first." },
    POST_ID: { description: "By post, newest first." },
    POST_ID_ASC: { description: "By post, oldest first." },
    SCORE: { description: "Highest score first." },
    SCORE_ASC: { description: "Lowest score first." },
    UPDATED_AT: { description: "Most recently edited first." },
    UPDATED_AT_ASC: { description: "Least recently edited first." },
  },
});
