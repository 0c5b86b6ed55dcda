import { boolean, date, enumType, int, objectType, oneOf, string } from "../shared/fields.js";

export const PostFlagCategory = enumType("PostFlagCategory", "Category of a flag's reason.", {
  NORMAL: ["normal", "Written by a user."],
  UNAPPROVED: ["unapproved", "Written by the system: nobody approved the pending post in time."],
  REJECTED: ["rejected", "Written by the system: nobody approved the flagged post in time."],
  BANNED: ["banned", "Requested by the artist."],
});

const PostFlagStatus = enumType("PostFlagStatus", "Outcome of a flag.", {
  PENDING: ["pending", "Pending."],
  SUCCEEDED: ["succeeded", "Succeeded: the post is deleted."],
  REJECTED: ["rejected", "Rejected: the post was approved."],
});

export const PostFlag = objectType("PostFlag", "A request to delete a post, or the reason for a deletion.", {
  id: int("ID of the flag."),
  postId: int("ID of the post."),
  reason: string("The reason."),
  isResolved: boolean("Whether the post has been approved since."),
  isDeletion: boolean("Whether it is the reason for a deletion."),
  category: oneOf(PostFlagCategory, "Category of the reason."),
  status: oneOf(PostFlagStatus, "The outcome."),
  createdAt: date("When the post was flagged."),
  updatedAt: date("When the flag was last updated."),
});
