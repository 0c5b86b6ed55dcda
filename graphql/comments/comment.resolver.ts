import { Arg, Args, Ctx, Mutation, Query, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { CommentVoteRecord } from "../../src/resources/votes/comment-vote.service.js";
import type { CommentRecord } from "../../src/resources/comments/comment.records.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest, Connection } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import { CommentSearch, CreateCommentInput, CreateCommentVoteInput, CreateCommentVotePayload, DeleteCommentInput, DeleteCommentVoteInput, DeleteCommentVotePayload, UndeleteCommentInput, UpdateCommentInput } from "./comment.inputs.js";
import { Comment } from "./comment.type.js";
import { resolver, one, mutation , list } from "../shared/operations.js";
import { anybody, member } from "../../src/resources/shared/policy.js";
import { Post } from "../posts/post.type.js";

interface Payload {
  comment: CommentRecord;
}
interface VotePayload {
  vote: CommentVoteRecord;
  comment: CommentRecord | null;
}

export const CommentOperations = resolver(Comment, {
comments: list({ of: Comment, description: "Lists comments, newest first.", allow: anybody, search: [CommentSearch, "Which comments to list."], find: ({ board, viewer }, search, page) => board.comments.search(viewer, search, page) }),

comment: one({ of: Comment, description: "One comment.", id: "Number of the comment.", allow: anybody }),

createComment: mutation({ description: "Writes a comment on a post.", allow: member, input: [CreateCommentInput, "The comment."], payload: [Comment, "The new comment."], resolve: (context, input) => context.board.comments.create(context, input) }),

updateComment: mutation({ description: "Edits a comment.", allow: member, limited: "recordEdit", input: [UpdateCommentInput, "The edit."], payload: [Comment, "The comment after the edit."], resolve: (context, { id, ...edit }) => context.board.comments.update(context, id, edit) }),

deleteComment: mutation({ description: "Deletes a comment; it can be brought back.", allow: member, limited: "recordEdit", input: [DeleteCommentInput, "The comment."], payload: [Comment, "The comment, now deleted."], resolve: (context, { id }) => context.board.comments.delete(context, id) }),

undeleteComment: mutation({ description: "Brings a deleted comment back.", allow: member, limited: "recordEdit", input: [UndeleteCommentInput, "The comment."], payload: [Comment, "The comment, back again."], resolve: (context, { id }) => context.board.comments.undelete(context, id) }),
});

@Resolver()
export class CommentResolver {

  @Public()
  @Query(() => Connection(Post), {
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
