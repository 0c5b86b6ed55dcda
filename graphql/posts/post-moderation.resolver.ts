import { mutation, resolver } from "../shared/operations.js";
import {
  ApprovePostInput,
  BanPostInput,
  DeletePostInput,
  ExpungePostInput,
  ExpungePostPayload,
  LockPostInput,
  MovePostFavoritesInput,
  UnbanPostInput,
  UndeletePostInput,
  UnlockPostInput,
} from "./post-moderation.inputs.js";
import { Post } from "./post.type.js";

export const PostModerationResolver = resolver(Post, {
  approvePost: mutation({
    description: "Makes a post active that is pending, flagged or deleted; nobody approves their own uploads.",
    input: [ApprovePostInput, "The post."],
    payload: [Post, "The post, now active."],
    resolve: (context, { id }) => context.board.postModeration.approve(context, id),
  }),

  deletePost: mutation({
    description: "Deletes a post; it stays and can be brought back.",
    input: [DeletePostInput, "The post and the reason."],
    payload: [Post, "The post, now deleted."],
    resolve: (context, { id, reason, moveFavorites }) =>
      context.board.postModeration.delete(context, id, reason, moveFavorites ?? false),
  }),

  undeletePost: mutation({
    description: "Brings a deleted post back.",
    input: [UndeletePostInput, "The post."],
    payload: [Post, "The post, now active again."],
    resolve: (context, { id }) => context.board.postModeration.undelete(context, id),
  }),

  banPost: mutation({
    description: "Bans a post: its file is then for Gold and above.",
    input: [BanPostInput, "The post."],
    payload: [Post, "The post, now banned."],
    resolve: (context, { id }) => context.board.postModeration.ban(context, id),
  }),

  unbanPost: mutation({
    description: "Lifts a post's ban.",
    input: [UnbanPostInput, "The post."],
    payload: [Post, "The post, no longer banned."],
    resolve: (context, { id }) => context.board.postModeration.unban(context, id),
  }),

  movePostFavorites: mutation({
    description: "Gives a post's favorites to its parent.",
    input: [MovePostFavoritesInput, "The post."],
    payload: [Post, "The post, now without favorites."],
    resolve: (context, { id }) => context.board.postModeration.moveFavorites(context, id),
  }),

  lockPost: mutation({
    description: "Locks a post's notes, rating or (Admin) status.",
    input: [LockPostInput, "The post and the locks."],
    payload: [Post, "The post with its locks."],
    resolve: (context, { id, locks }) => context.board.postModeration.lock(context, id, locks),
  }),

  unlockPost: mutation({
    description: "Unlocks a post's notes, rating or (Admin) status.",
    input: [UnlockPostInput, "The post and the locks."],
    payload: [Post, "The post with the locks that are left."],
    resolve: (context, { id, locks }) => context.board.postModeration.unlock(context, id, locks),
  }),

  expungePost: mutation({
    description: "Removes a post, its history and its files for good; its favorites go to its parent.",
    input: [ExpungePostInput, "The post."],
    payload: ExpungePostPayload,
    resolve: async (context, { id }) => ({ postId: (await context.board.postModeration.expunge(context, id)).id }),
  }),
});
