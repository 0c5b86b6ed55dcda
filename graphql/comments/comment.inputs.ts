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
  idInput,
} from "../shared/fields.js";

export const CommentSearch = inputType(
  "CommentSearch",
  "Which comments to list.",
  allNullable({
    id: ints("Comments of these numbers."),
    bodyMatches: string("Words of the text; with `*` a pattern of the whole text."),
    postId: ints("Comments on these posts."),
    postTagsMatch: string("Comments on posts with these tags; no meta-tags."),
    creatorName: string("Comments by the user of this name."),
    creatorId: ints("Comments by these users."),
    isDeleted: boolean("Comments that are deleted, or that are not."),
    isSticky: boolean("Comments that are sticky, or that are not."),
    doNotBumpPost: boolean("Comments that do not bump their post, or that do."),
    order: oneOf(CommentOrder, "Order of the list; newest first by default."),
  }),
);
export type CommentSearch = InstanceType<typeof CommentSearch>;

export const CreateCommentInput = inputType("CreateCommentInput", "A new comment.", {
  postId: int("Number of the post."),
  body: string("The text."),
  ...allNullable({
    doNotBumpPost: boolean("Leave the post where it is in the comment listing."),
    isSticky: boolean("Put it above the others; for Janitors and above."),
  }),
});

export const UpdateCommentInput = inputType(
  "UpdateCommentInput",
  "An edit of a comment. What is absent stays as it is.",
  {
    id: int("Number of the comment."),
    body: string("The text."),
    ...allNullable({
      doNotBumpPost: boolean("Leave the post where it is in the comment listing."),
      isSticky: boolean("Put it above the others; for Janitors and above."),
    }),
  },
);

export const DeleteCommentInput = idInput("DeleteCommentInput", "Which comment to delete.", "Number of the comment.");

export const UndeleteCommentInput = idInput(
  "UndeleteCommentInput",
  "Which comment to bring back.",
  "Number of the comment.",
);

export const CreateCommentVoteInput = inputType("CreateCommentVoteInput", "A vote on a comment.", {
  commentId: int("Number of the comment."),
  score: oneOf(VoteScore, "Up or down."),
});
export type CreateCommentVoteInput = InstanceType<typeof CreateCommentVoteInput>;

export const DeleteCommentVoteInput = inputType(
  "DeleteCommentVoteInput",
  "Whose vote to take back: the viewer's on this comment.",
  {
    commentId: int("Number of the comment."),
  },
);
export type DeleteCommentVoteInput = InstanceType<typeof DeleteCommentVoteInput>;

export const CreateCommentVotePayload = objectType(
  "CreateCommentVotePayload",
  "The vote, and the comment that it counts for.",
  {
    vote: nested(() => CommentVote, "The vote."),
    comment: nullable(nested(() => Comment, "The comment after the vote.")),
  },
);

export const DeleteCommentVotePayload = objectType(
  "DeleteCommentVotePayload",
  "The vote that was taken back, and the comment that it counted for.",
  {
    vote: nested(() => CommentVote, "The vote as it was."),
    comment: nullable(nested(() => Comment, "The comment without the vote.")),
  },
);
