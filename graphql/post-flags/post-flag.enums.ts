import { enumType } from "../shared/fields.js";

export const PostFlagCategory = enumType("PostFlagCategory", "Category of a flag's reason.", {
  NORMAL: ["normal", "Written by a user."],
  UNAPPROVED: ["unapproved", "Written by the system: nobody approved the pending post in time."],
  REJECTED: ["rejected", "Written by the system: nobody approved the flagged post in time."],
  BANNED: ["banned", "Requested by the artist."],
});

export const PostFlagStatus = enumType("PostFlagStatus", "Outcome of a flag.", {
  PENDING: ["pending", "Pending."],
  SUCCEEDED: ["succeeded", "Succeeded: the post is deleted."],
  REJECTED: ["rejected", "Rejected: the post was approved."],
});
