import { int, string, boolean, date, nullable, objectType } from "../shared/fields.js";

export const Comment = objectType("Comment", "A comment on a post.", {
  id: int("ID of the comment."),
  postId: int("ID of the post."),
  creatorId: int("The user who wrote it."),
  creatorName: string("Name of the user who wrote it."),
  updaterId: nullable(int("The user who last edited, deleted or restored it.")),
  updaterName: nullable(string("Name of the user who last edited, deleted or restored it.")),
  score: int("Upvotes minus downvotes."),
  doNotBumpPost: boolean("Whether the comment does not bump its post in the comment listing."),
  isDeleted: boolean("Whether it is deleted."),
  isSticky: boolean("Whether the staff pinned it above the other comments."),
  createdAt: date("When it was created."),
  updatedAt: date("When it was last edited, deleted or restored. Votes do not change it."),
});
