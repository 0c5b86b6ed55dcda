import { PostAppealStatus } from "./post-appeal.enums.js";
import { int, string, boolean, date, oneOf, ints, objectType, inputType, optionalInput } from "../shared/fields.js";

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

export const PostAppealSearch = optionalInput("PostAppealSearch", "Filters for the list of appeals.", {
  id: ints("Appeals with these IDs."),
  postId: ints("Appeals for these posts."),
  creatorId: ints("Appeals by these users."),
  creatorName: string("Appeals by the user with this name."),
  reasonMatches: string("Text contained in the reason; with `*`, a pattern that matches the whole reason."),
  isResolved: boolean("Only appeals for posts that are active again (true) or not (false)."),
});

export const CreatePostAppealInput = inputType("CreatePostAppealInput", "A new appeal.", {
  postId: int("ID of the post, which must be deleted or flagged."),
  reason: string("Why the post should be kept; at most 500 characters."),
});
