import { Post } from "../posts/post.type.js";
import {
  CommentSearch,
  CreateCommentInput,
  CreateCommentVoteInput,
  CreateCommentVotePayload,
  DeleteCommentVoteInput,
  DeleteCommentVotePayload,
  UpdateCommentInput,
} from "./comment.inputs.js";
import { Comment } from "./comment.type.js";
import { resolver, one, mutation, list } from "../shared/operations.js";
import { string, nullable, int } from "../shared/fields.js";

export const CommentResolver = resolver(Comment, {
  comments: list({
    of: Comment,
    description: "Lists comments, newest first.",
    search: [CommentSearch, "Filters for the list of comments."],
    find: ({ board, viewer }, search, page) => board.comments.search(viewer, search, page),
  }),

  commentedPosts: list({
    of: Post,
    description: "Lists posts with comments, most recently bumped first.",
    search: [CommentSearch, "Filters for comments, of which a post must match at least one."],
    args: { tags: nullable(string("Tags of the posts; no meta-tags.")) },
    find: ({ board, viewer }, search, page, { tags }) => board.comments.searchPosts(viewer, search, tags ?? null, page),
  }),

  comment: one({ of: Comment, description: "One comment.", id: "ID of the comment." }),

  createComment: mutation({
    description: "Comments on a post.",
    input: [CreateCommentInput, "The comment."],
    payload: [Comment, "The new comment."],
    resolve: (context, input) => context.board.comments.create(context, input),
  }),

  updateComment: mutation({
    description: "Edits a comment.",
    limited: "recordEdit",
    input: [UpdateCommentInput, "The edit."],
    payload: [Comment, "The comment after the edit."],
    resolve: (context, { id, ...edit }) => context.board.comments.update(context, id, edit),
  }),

  deleteComment: mutation({
    description: "Deletes a comment, which can be restored.",
    limited: "recordEdit",
    input: [{ id: int("ID of the comment.") }, "The comment to delete.", "The comment."],
    payload: [Comment, "The deleted comment."],
    resolve: (context, { id }) => context.board.comments.delete(context, id),
  }),

  undeleteComment: mutation({
    description: "Restores a deleted comment.",
    limited: "recordEdit",
    input: [{ id: int("ID of the comment.") }, "The comment to restore.", "The comment."],
    payload: [Comment, "The restored comment."],
    resolve: (context, { id }) => context.board.comments.undelete(context, id),
  }),

  createCommentVote: mutation({
    description: "Votes on a comment.",
    limited: "vote",
    input: [CreateCommentVoteInput, "The comment and the direction of the vote."],
    payload: CreateCommentVotePayload,
    resolve: async (context, { commentId, score }) => {
      const vote = await context.board.commentVotes.create(context, commentId, score === "up" ? 1 : -1);
      return { vote, comment: await context.loaders.comment.load(commentId) };
    },
  }),

  deleteCommentVote: mutation({
    description: "Removes the viewer's vote on a comment.",
    limited: "vote",
    input: [DeleteCommentVoteInput, "The comment."],
    payload: DeleteCommentVotePayload,
    resolve: async (context, { commentId }) => {
      const vote = await context.board.commentVotes.delete(context, commentId);
      return { vote, comment: await context.loaders.comment.load(commentId) };
    },
  }),
});
