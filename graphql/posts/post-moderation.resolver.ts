import { editsOf } from "../shared/edits.js";
import { boolean, enumType, int, listOf, nullable, objectType, oneOf, string } from "../shared/fields.js";
import { mutation, resolversOf } from "../shared/operations.js";
import { Post } from "./post.type.js";

const id = int("ID of the post.");

const PostLock = enumType("PostLock", "Attributes of a post that can be locked.", {
  NOTE: ["note", "Notes: none can be created, edited or deleted."],
  RATING: ["rating", "The rating."],
  STATUS: ["status", "Status: the post cannot be flagged, appealed, approved, deleted or restored."],
});

/** The mutation that locks or unlocks attributes of a post. */
const locking = (method: "lock" | "unlock", description: string, locks: string) =>
  mutation({
    description,
    input: [
      {
        id,
        locks: listOf(
          oneOf(PostLock, `The attributes to ${method}: notes and rating for Builders and above, status for Admins.`),
        ),
      },
      `Input of \`${method}Post\`.`,
      "The post and the attributes.",
    ],
    payload: [Post, `The post with its ${locks} locks.`],
    resolve: (context, input) =>
      context.board.postModeration.setLocks(context, input.id, input.locks, method === "lock"),
  });

const ExpungePostPayload = objectType("ExpungePostPayload", "The result of `expungePost`.", {
  postId: int("ID of the expunged post."),
});

const moderation = editsOf(Post, ({ postModeration }) => postModeration);

resolversOf(Post, {
  approvePost: moderation.act(
    "approve",
    "Approves a post that is pending, flagged or deleted. Nobody can approve their own uploads.",
    null,
  ),

  deletePost: mutation({
    description: "Deletes a post, which can be restored.",
    input: [
      {
        id,
        reason: string("The public reason; at most 500 characters."),
        moveFavorites: nullable(boolean("Whether to move its favorites to its parent, if it has one.")),
      },
      "The post to delete and the reason.",
      "The post and the reason.",
    ],
    payload: [Post, "The deleted post."],
    resolve: (context, input) =>
      context.board.postModeration.delete(context, input.id, input.reason, input.moveFavorites ?? false),
  }),

  undeletePost: moderation.act("undelete", "Restores a deleted post.", null),
  banPost: moderation.act("ban", "Bans a post, whose file only Gold users and above can see from then on.", null),
  unbanPost: moderation.act("unban", "Unbans a post.", null),

  movePostFavorites: mutation({
    description: "Moves a post's favorites to its parent.",
    input: [{ id }, "The post whose favorites to move.", "The post."],
    payload: [Post, "The post after its favorites were moved."],
    resolve: (context, input) => context.board.postModeration.moveFavorites(context, input.id),
  }),

  lockPost: locking("lock", "Locks a post's notes or rating, or (Admins) its status.", "new"),
  unlockPost: locking("unlock", "Unlocks a post's notes or rating, or (Admins) its status.", "remaining"),

  expungePost: mutation({
    description: "Deletes a post, its history and its files permanently and moves its favorites to its parent.",
    input: [{ id }, "The post to expunge.", "The post."],
    payload: ExpungePostPayload,
    resolve: async (context, input) => ({
      postId: (await context.board.postModeration.expunge(context, input.id)).id,
    }),
  }),
});
