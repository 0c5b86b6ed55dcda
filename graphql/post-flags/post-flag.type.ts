import { PostFlagCategory, PostFlagStatus } from "./post-flag.enums.js";
import { int, string, boolean, date, oneOf, ints, allNullable, objectType, inputType } from "../shared/fields.js";

export const SECRET = "known to the flagger and to Moderators, null to others";

export const PostFlag = objectType("PostFlag", "A request to delete a post, or the reason of a deletion.", {
  id: int("Number of the flag."),
  postId: int("Number of the post."),
  reason: string("Why the post should go."),
  isResolved: boolean("Whether the post was approved since."),
  isDeletion: boolean("Whether it came with a deletion, of which it is the reason."),
  category: oneOf(PostFlagCategory, "What kind of reason it is."),
  status: oneOf(PostFlagStatus, "What became of it."),
  createdAt: date("When the post was flagged."),
  updatedAt: date("When the flag last changed."),
});

export const PostFlagSearch = inputType(
  "PostFlagSearch",
  "Which flags to list.",
  allNullable({
    id: ints("Flags of these numbers."),
    postId: ints("Flags of these posts."),
    creatorId: ints("Flags by these users; below Moderator only your own are found."),
    creatorName: string("Flags by the user of this name; below Moderator only your own are found."),
    reasonMatches: string("Text in the reason; with `*` a pattern of the whole reason."),
    isResolved: boolean("Flags whose post was approved since, or was not."),
    category: oneOf(PostFlagCategory, "Flags with this kind of reason."),
  }),
);

export const CreatePostFlagInput = inputType("CreatePostFlagInput", "A flag.", {
  postId: int("Number of the post."),
  reason: string("Why the post should go; at most 500 characters."),
});
