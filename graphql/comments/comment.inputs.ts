import { VoteScore } from "../shared/enums.js";
import { CommentOrder } from "./comment.enums.js";
import { Comment, CommentVote } from "./comment.type.js";
import {
  int,
  string,
  boolean,
  oneOf,
  nested,
  ints,
  nullable,
  allNullable,
  objectType,
  inputType,
  optionalInput,
} from "../shared/fields.js";

export const CommentSearch = optionalInput("CommentSearch", "Filters for the list of comments.", {
  id: ints("Comments with these IDs."),
  bodyMatches: string("Words of the text; with `*`, a pattern that matches the whole text."),
  postId: ints("Comments on these posts."),
  postTagsMatch: string("Comments on posts with these tags; no meta-tags."),
  creatorName: string("Comments by the user with this name."),
  creatorId: ints("Comments by these users."),
  isDeleted: boolean("Only deleted (true) or active (false) comments."),
  isSticky: boolean("Only comments that are pinned (true) or not (false)."),
  doNotBumpPost: boolean("Only comments that do not bump their post (true) or that do (false)."),
  order: oneOf(CommentOrder, "The sort order; newest first by default."),
});

export const CreateCommentInput = inputType("CreateCommentInput", "A new comment.", {
  postId: int("ID of the post."),
  body: string("The text."),
  ...allNullable({
    doNotBumpPost: boolean("Do not bump the post in the comment listing."),
    isSticky: boolean("Pin it above the other comments; Janitors and above."),
  }),
});

export const UpdateCommentInput = inputType(
  "UpdateCommentInput",
  "An edit of a comment. Absent fields do not change.",
  {
    id: int("ID of the comment."),
    body: string("The text."),
    ...allNullable({
      doNotBumpPost: boolean("Do not bump the post in the comment listing."),
      isSticky: boolean("Pin it above the other comments; Janitors and above."),
    }),
  },
);

export const CreateCommentVoteInput = inputType("CreateCommentVoteInput", "A vote on a comment.", {
  commentId: int("ID of the comment."),
  score: oneOf(VoteScore, "The direction."),
});

export const DeleteCommentVoteInput = inputType("DeleteCommentVoteInput", "The comment whose vote to remove.", {
  commentId: int("ID of the comment."),
});

export const CreateCommentVotePayload = objectType("CreateCommentVotePayload", "The vote and its comment.", {
  vote: nested(() => CommentVote, "The vote."),
  comment: nullable(nested(() => Comment, "The comment after the vote.")),
});

export const DeleteCommentVotePayload = objectType("DeleteCommentVotePayload", "The removed vote and its comment.", {
  vote: nested(() => CommentVote, "The removed vote."),
  comment: nullable(nested(() => Comment, "The comment after the vote was removed.")),
});
