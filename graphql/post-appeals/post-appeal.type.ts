import { PostAppealStatus } from "./post-appeal.enums.js";
import { int, string, boolean, date, oneOf, ints, allNullable, objectType, inputType } from "../shared/fields.js";

export const PostAppeal = objectType("PostAppeal", "A request to keep a post that was deleted or flagged.", {
  id: int("Number of the appeal."),
  postId: int("Number of the post."),
  creatorId: int("Number of who appealed."),
  creatorName: string("Name of who appealed."),
  reason: string("Why the post should stay."),
  isResolved: boolean("Whether the post is neither deleted nor flagged any more."),
  status: oneOf(PostAppealStatus, "What became of it."),
  createdAt: date("When the appeal was made."),
  updatedAt: date("When the appeal last changed."),
});

export const PostAppealSearch = inputType(
  "PostAppealSearch",
  "Which appeals to list.",
  allNullable({
    id: ints("Appeals of these numbers."),
    postId: ints("Appeals for these posts."),
    creatorId: ints("Appeals by these users."),
    creatorName: string("Appeals by the user of this name."),
    reasonMatches: string("Text in the reason; with `*` a pattern of the whole reason."),
    isResolved: boolean("Appeals for posts that are active again, or are not."),
  }),
);

export const CreatePostAppealInput = inputType("CreatePostAppealInput", "An appeal.", {
  postId: int("Number of the post, which is deleted or flagged."),
  reason: string("Why the post should stay; at most 500 characters."),
});
