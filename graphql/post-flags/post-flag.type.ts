import { PostFlagCategory, PostFlagStatus } from "./post-flag.enums.js";
import { int, string, boolean, date, oneOf, ints, objectType, inputType, optionalInput } from "../shared/fields.js";

export const SECRET = "null unless the viewer is that user or a Moderator or above";

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

export const PostFlagSearch = optionalInput("PostFlagSearch", "Filters for the list of flags.", {
  id: ints("Flags with these IDs."),
  postId: ints("Flags of these posts."),
  creatorId: ints("Flags by these users; only the viewer's own below Moderator level."),
  creatorName: string("Flags by the user with this name; only the viewer's own below Moderator level."),
  reasonMatches: string("Text contained in the reason; with `*`, a pattern that matches the whole reason."),
  isResolved: boolean("Only flags whose post has been approved since (true) or has not (false)."),
  category: oneOf(PostFlagCategory, "Flags with a reason of this category."),
});

export const CreatePostFlagInput = inputType("CreatePostFlagInput", "A new flag.", {
  postId: int("ID of the post."),
  reason: string("Why the post should be deleted; at most 500 characters."),
});
