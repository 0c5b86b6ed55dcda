import { boolean, date, enumType, int, objectType, oneOf, string } from "../shared/fields.js";

const PostAppealStatus = enumType("PostAppealStatus", "Outcome of an appeal.", {
  PENDING: ["pending", "Pending."],
  SUCCEEDED: ["succeeded", "Succeeded: the post is no longer deleted or flagged."],
  REJECTED: ["rejected", "Rejected: the post was deleted after it."],
});

export const PostAppeal = objectType("PostAppeal", "A request to keep a deleted or flagged post.", {
  id: int("ID of the appeal."),
  postId: int("ID of the post."),
  creatorId: int("ID of the user who appealed."),
  creatorName: string("Name of the user who appealed."),
  reason: string("The reason."),
  isResolved: boolean("Whether the post is no longer deleted or flagged."),
  status: oneOf(PostAppealStatus, "The outcome."),
  createdAt: date("When the appeal was made."),
  updatedAt: date("When the appeal was last updated."),
});
