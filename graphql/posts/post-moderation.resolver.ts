import { int } from "../shared/fields.js";
import { mutation, resolver } from "../shared/operations.js";
import { DeletePostInput, ExpungePostPayload, LockPostInput, UnlockPostInput } from "./post-moderation.inputs.js";
import { Post } from "./post.type.js";

export const PostModerationResolver = resolver(Post, {
  approvePost: mutation({
    description: "Approves a post that is pending, flagged or deleted. Nobody can approve their own uploads.",
    input: [{ id: int("ID of the post.") }, "The post to approve.", "The post."],
    payload: [Post, "The approved post."],
    resolve: (context, { id }) => context.board.postModeration.approve(context, id),
  }),

  deletePost: mutation({
    description: "Deletes a post, which can be restored.",
    input: [DeletePostInput, "The post and the reason."],
    payload: [Post, "The deleted post."],
    resolve: (context, { id, reason, moveFavorites }) =>
      context.board.postModeration.delete(context, id, reason, moveFavorites ?? false),
  }),

  undeletePost: mutation({
    description: "Restores a deleted post.",
    input: [{ id: int("ID of the post.") }, "The post to restore.", "The post."],
    payload: [Post, "The restored post."],
    resolve: (context, { id }) => context.board.postModeration.undelete(context, id),
  }),

  banPost: mutation({
    description: "Bans a post, whose file only Gold users and above can see from then on.",
    input: [{ id: int("ID of the post.") }, "The post to ban.", "The post."],
    payload: [Post, "The banned post."],
    resolve: (context, { id }) => context.board.postModeration.ban(context, id),
  }),

  unbanPost: mutation({
    description: "Unbans a post.",
    input: [{ id: int("ID of the post.") }, "The post to unban.", "The post."],
    payload: [Post, "The unbanned post."],
    resolve: (context, { id }) => context.board.postModeration.unban(context, id),
  }),

  movePostFavorites: mutation({
    description: "Moves a post's favorites to its parent.",
    input: [{ id: int("ID of the post.") }, "The post whose favorites to move.", "The post."],
    payload: [Post, "The post after its favorites were moved."],
    resolve: (context, { id }) => context.board.postModeration.moveFavorites(context, id),
  }),

  lockPost: mutation({
    description: "Locks a post's notes or rating, or (Admins) its status.",
    input: [LockPostInput, "The post and the attributes."],
    payload: [Post, "The post with its new locks."],
    resolve: (context, { id, locks }) => context.board.postModeration.lock(context, id, locks),
  }),

  unlockPost: mutation({
    description: "Unlocks a post's notes or rating, or (Admins) its status.",
    input: [UnlockPostInput, "The post and the attributes."],
    payload: [Post, "The post with its remaining locks."],
    resolve: (context, { id, locks }) => context.board.postModeration.unlock(context, id, locks),
  }),

  expungePost: mutation({
    description: "Deletes a post, its history and its files permanently and moves its favorites to its parent.",
    input: [{ id: int("ID of the post.") }, "The post to expunge.", "The post."],
    payload: ExpungePostPayload,
    resolve: async (context, { id }) => ({ postId: (await context.board.postModeration.expunge(context, id)).id }),
  }),
});
