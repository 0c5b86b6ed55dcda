import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { CommentVoteRecord } from "../../src/resources/votes/comment-vote.service.js";
import type { CommentRecord } from "../../src/resources/comments/comment.records.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { PostConnection } from "../posts/post.type.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import {
  CommentSearch,
  CreateCommentInput,
  CreateCommentPayload,
  CreateCommentVoteInput,
  CreateCommentVotePayload,
  DeleteCommentInput,
  DeleteCommentPayload,
  DeleteCommentVoteInput,
  DeleteCommentVotePayload,
  UndeleteCommentInput,
  UndeleteCommentPayload,
  UpdateCommentInput,
  UpdateCommentPayload,
} from "./comment.inputs.js";
import { Comment, CommentConnection } from "./comment.type.js";

interface Payload {
  comment: CommentRecord;
}
interface VotePayload {
  vote: CommentVoteRecord;
  comment: CommentRecord | null;
}

@Resolver()
export class CommentResolver {
  @Public()
  @Query(() => CommentConnection, { description: "Lists comments, newest first.", complexity: listComplexity })
  async comments(
    @Arg("search", () => CommentSearch, { nullable: true, description: "Which comments to list." })
    search: CommentSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<ConnectionOf<CommentRecord>> {
    return toConnection(await board.comments.search(viewer, search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => PostConnection, {
    description: "Lists the posts that comments have bumped, the one bumped last first.",
    complexity: listComplexity,
  })
  async commentedPosts(
    @Arg("search", () => CommentSearch, { nullable: true, description: "Comments, of which a post must have one." })
    search: CommentSearch | null,
    @Arg("tags", () => String, { nullable: true, description: "Tags of the posts; no meta-tags." }) tags: string | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<ConnectionOf<PostRecord>> {
    return toConnection(await board.comments.searchPosts(viewer, search ?? {}, tags, toPageRequest(list)));
  }

  @Public()
  @Query(() => Comment, { nullable: true, description: "One comment." })
  comment(
    @Arg("id", () => Int, { description: "Number of the comment." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<CommentRecord | null> {
    return loaders.comment.load(id);
  }

  @RequireLevel(Level.Member)
  @Mutation(() => CreateCommentPayload, { description: "Writes a comment on a post." })
  async createComment(
    @Arg("input", () => CreateCommentInput, { description: "The comment." }) input: CreateCommentInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { comment: await context.board.comments.create(context, input) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => UpdateCommentPayload, { description: "Edits a comment." })
  async updateComment(
    @Arg("input", () => UpdateCommentInput, { description: "The edit." }) { id, ...edit }: UpdateCommentInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { comment: await context.board.comments.update(context, id, edit) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => DeleteCommentPayload, { description: "Deletes a comment; it can be brought back." })
  async deleteComment(
    @Arg("input", () => DeleteCommentInput, { description: "The comment." }) { id }: DeleteCommentInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { comment: await context.board.comments.delete(context, id) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => UndeleteCommentPayload, { description: "Brings a deleted comment back." })
  async undeleteComment(
    @Arg("input", () => UndeleteCommentInput, { description: "The comment." }) { id }: UndeleteCommentInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { comment: await context.board.comments.undelete(context, id) };
  }

  @RequireLevel(Level.Member)
  @Limited("vote")
  @Mutation(() => CreateCommentVotePayload, { description: "Votes on a comment." })
  async createCommentVote(
    @Arg("input", () => CreateCommentVoteInput, { description: "Comment and direction." })
    { commentId, score }: CreateCommentVoteInput,
    @Ctx() context: GraphQLContext,
  ): Promise<VotePayload> {
    const vote = await context.board.commentVotes.create(context, commentId, score === "up" ? 1 : -1);
    return { vote, comment: await context.loaders.comment.load(commentId) };
  }

  @RequireLevel(Level.Member)
  @Limited("vote")
  @Mutation(() => DeleteCommentVotePayload, { description: "Takes your vote on a comment back." })
  async deleteCommentVote(
    @Arg("input", () => DeleteCommentVoteInput, { description: "The comment." })
    { commentId }: DeleteCommentVoteInput,
    @Ctx() context: GraphQLContext,
  ): Promise<VotePayload> {
    const vote = await context.board.commentVotes.delete(context, commentId);
    return { vote, comment: await context.loaders.comment.load(commentId) };
  }
}
