import { int, string, boolean, date, nullable, objectType } from "../shared/fields.js";

export const Comment = objectType("Comment", "A comment on a post.", {
  id: int("Number of the comment."),
  postId: int("Number of the post."),
  creatorId: int("Who wrote it."),
  creatorName: string("Name of who wrote it."),
  updaterId: nullable(int("Who last edited, deleted or restored it.")),
  updaterName: nullable(string("Name of who last edited, deleted or restored it.")),
  score: int("Votes up less votes down."),
  doNotBumpPost: boolean("Whether it leaves the post where it is in the comment listing."),
  isDeleted: boolean("Whether it is deleted."),
  isSticky: boolean("Whether the staff put it above the others."),
  createdAt: date("When it was written."),
  updatedAt: date("When it was last edited, deleted or restored; votes do not count."),
});

export const CommentVote = objectType("CommentVote", "A vote on a comment.", {
  id: int("Number of the vote."),
  commentId: int("Number of the comment."),
  userId: int("Who voted."),
  score: int("1 for a vote up, -1 for a vote down."),
  createdAt: date("When the vote was cast."),
  updatedAt: date("When the vote last changed."),
});
