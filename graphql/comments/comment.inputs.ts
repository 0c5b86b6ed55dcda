import { Field, InputType, Int, ObjectType } from "type-graphql";
import type {
  CommentEdit,
  CommentOrder as Order,
  CommentSearch as SearchAttributes,
  NewComment,
} from "../../src/resources/comments/comment.service.js";
import { VoteScore } from "../shared/enums.js";
import { CommentOrder } from "./comment.enums.js";
import { Comment, CommentVote } from "./comment.type.js";

@InputType({ description: "Which comments to list." })
export class CommentSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Comments of these numbers." })
  id?: number[] | null;

  @Field(() => String, { nullable: true, description: "Words of the text; with `*` a pattern of the whole text." })
  bodyMatches?: string | null;

  @Field(() => [Int], { nullable: true, description: "Comments on these posts." })
  postId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Comments on posts with these tags; no meta-tags." })
  postTagsMatch?: string | null;

  @Field(() => String, { nullable: true, description: "Comments by the user of this name." })
  creatorName?: string | null;

  @Field(() => [Int], { nullable: true, description: "Comments by these users." })
  creatorId?: number[] | null;

  @Field(() => Boolean, { nullable: true, description: "Comments that are deleted, or that are not." })
  isDeleted?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Comments that are sticky, or that are not." })
  isSticky?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Comments that do not bump their post, or that do." })
  doNotBumpPost?: boolean | null;

  @Field(() => CommentOrder, { nullable: true, description: "Order of the list; newest first by default." })
  order?: Order | null;
}

@InputType({ description: "A new comment." })
export class CreateCommentInput implements NewComment {
  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => String, { description: "The text." })
  body!: string;

  @Field(() => Boolean, { nullable: true, description: "Leave the post where it is in the comment listing." })
  doNotBumpPost?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Put it above the others; for Janitors and above." })
  isSticky?: boolean | null;
}

@InputType({ description: "An edit of a comment. What is absent stays as it is." })
export class UpdateCommentInput implements CommentEdit {
  @Field(() => Int, { description: "Number of the comment." })
  id!: number;

  @Field(() => String, { description: "The text." })
  body!: string;

  @Field(() => Boolean, { nullable: true, description: "Leave the post where it is in the comment listing." })
  doNotBumpPost?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Put it above the others; for Janitors and above." })
  isSticky?: boolean | null;
}

@InputType({ description: "Which comment to delete." })
export class DeleteCommentInput {
  @Field(() => Int, { description: "Number of the comment." })
  id!: number;
}

@InputType({ description: "Which comment to bring back." })
export class UndeleteCommentInput {
  @Field(() => Int, { description: "Number of the comment." })
  id!: number;
}

@InputType({ description: "A vote on a comment." })
export class CreateCommentVoteInput {
  @Field(() => Int, { description: "Number of the comment." })
  commentId!: number;

  @Field(() => VoteScore, { description: "Up or down." })
  score!: string;
}

@InputType({ description: "Whose vote to take back: the viewer's on this comment." })
export class DeleteCommentVoteInput {
  @Field(() => Int, { description: "Number of the comment." })
  commentId!: number;
}

@ObjectType({ description: "The new comment." })
export class CreateCommentPayload {
  @Field(() => Comment, { description: "The new comment." })
  comment!: Comment;
}

@ObjectType({ description: "The comment after the edit." })
export class UpdateCommentPayload {
  @Field(() => Comment, { description: "The comment after the edit." })
  comment!: Comment;
}

@ObjectType({ description: "The comment, now deleted." })
export class DeleteCommentPayload {
  @Field(() => Comment, { description: "The comment, now deleted." })
  comment!: Comment;
}

@ObjectType({ description: "The comment, back again." })
export class UndeleteCommentPayload {
  @Field(() => Comment, { description: "The comment, back again." })
  comment!: Comment;
}

@ObjectType({ description: "The vote, and the comment that it counts for." })
export class CreateCommentVotePayload {
  @Field(() => CommentVote, { description: "The vote." })
  vote!: CommentVote;

  @Field(() => Comment, { nullable: true, description: "The comment after the vote." })
  comment!: Comment | null;
}

@ObjectType({ description: "The vote that was taken back, and the comment that it counted for." })
export class DeleteCommentVotePayload {
  @Field(() => CommentVote, { description: "The vote as it was." })
  vote!: CommentVote;

  @Field(() => Comment, { nullable: true, description: "The comment without the vote." })
  comment!: Comment | null;
}
