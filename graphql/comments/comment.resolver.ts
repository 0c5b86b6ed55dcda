import { Post } from "../posts/post.type.js";
import {
  CommentSearch,
  CreateCommentInput,
  CreateCommentVoteInput,
  CreateCommentVotePayload,
  DeleteCommentInput,
  DeleteCommentVoteInput,
  DeleteCommentVotePayload,
  UndeleteCommentInput,
  UpdateCommentInput,
} from "./comment.inputs.js";
import { Comment } from "./comment.type.js";
import { resolver, one, mutation, list } from "../shared/operations.js";
import { string, nullable } from "../shared/fields.js";

export const CommentResolver = resolver(Comment, {
  comments: list({
    of: Comment,
    description: "Lists comments, newest first.",
    search: [CommentSearch, "Which comments to list."],
    find: ({ board, viewer }, search, page) => board.comments.search(viewer, search, page),
  }),

  commentedPosts: list({
    of: Post,
    description: "Lists the posts that comments have bumped, the one bumped last first.",
    search: [CommentSearch, "Comments, of which a post must have one."],
    args: { tags: nullable(string("Tags of the posts; no meta-tags.")) },
    find: ({ board, viewer }, search, page, { tags }) => board.comments.searchPosts(viewer, search, tags ?? null, page),
  }),

  comment: one({ of: Comment, description: "One comment.", id: "Number of the comment." }),

  createComment: mutation({
    description: "Writes a comment on a post.",
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
    description: "Deletes a comment; it can be brought back.",
    limited: "recordEdit",
    input: [DeleteCommentInput, "The comment."],
    payload: [Comment, "The comment, now deleted."],
    resolve: (context, { id }) => context.board.comments.delete(context, id),
  }),

  undeleteComment: mutation({
    description: "Brings a deleted comment back.",
    limited: "recordEdit",
    input: [UndeleteCommentInput, "The comment."],
    payload: [Comment, "The comment, back again."],
    resolve: (context, { id }) => context.board.comments.undelete(context, id),
  }),

  createCommentVote: mutation({
    description: "Votes on a comment.",
    limited: "vote",
    input: [CreateCommentVoteInput, "Comment and direction."],
    payload: CreateCommentVotePayload,
    resolve: async (context, { commentId, score }) => {
      const vote = await context.board.commentVotes.create(context, commentId, score === "up" ? 1 : -1);
      return { vote, comment: await context.loaders.comment.load(commentId) };
    },
  }),

  deleteCommentVote: mutation({
    description: "Takes your vote on a comment back.",
    limited: "vote",
    input: [DeleteCommentVoteInput, "The comment."],
    payload: DeleteCommentVotePayload,
    resolve: async (context, { commentId }) => {
      const vote = await context.board.commentVotes.delete(context, commentId);
      return { vote, comment: await context.loaders.comment.load(commentId) };
    },
  }),
});
