/** What the moderation of posts takes. */
import { PostLock } from "./post.enums.js";
import { boolean, inputType, int, listOf, nullable, objectType, oneOf, string } from "../shared/fields.js";

const NUMBER = "ID of the post.";

export const DeletePostInput = inputType("DeletePostInput", "The post to delete and the reason.", {
  id: int(NUMBER),
  reason: string("The public reason; at most 500 characters."),
  moveFavorites: nullable(boolean("Whether to move its favorites to its parent, if it has one.")),
});

export const LockPostInput = inputType("LockPostInput", "Input of `lockPost`.", {
  id: int(NUMBER),
  locks: listOf(oneOf(PostLock, "The attributes to lock: notes and rating for Builders and above, status for Admins.")),
});

export const UnlockPostInput = inputType("UnlockPostInput", "Input of `unlockPost`.", {
  id: int(NUMBER),
  locks: listOf(
    oneOf(PostLock, "The attributes to unlock: notes and rating for Builders and above, status for Admins."),
  ),
});

export const ExpungePostPayload = objectType("ExpungePostPayload", "The result of `expungePost`.", {
  postId: int("ID of the expunged post."),
});
