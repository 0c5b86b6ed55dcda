/** What the moderation of posts takes. */
import { PostLock } from "./post.enums.js";
import { boolean, idInput, inputType, int, listOf, nullable, objectType, oneOf, string } from "../shared/fields.js";

const NUMBER = "Number of the post.";

export const ApprovePostInput = idInput("ApprovePostInput", "Which post to approve.", NUMBER);
export const UndeletePostInput = idInput("UndeletePostInput", "Which post to bring back.", NUMBER);
export const BanPostInput = idInput("BanPostInput", "Which post to ban.", NUMBER);
export const UnbanPostInput = idInput("UnbanPostInput", "Which post's ban to lift.", NUMBER);
export const MovePostFavoritesInput = idInput("MovePostFavoritesInput", "Whose favorites to move.", NUMBER);
export const ExpungePostInput = idInput("ExpungePostInput", "Which post to remove for good.", NUMBER);

export const DeletePostInput = inputType("DeletePostInput", "Which post to delete, and why.", {
  id: int(NUMBER),
  reason: string("Why, for everybody to read; at most 500 characters."),
  moveFavorites: nullable(boolean("Whether its favorites go to its parent, if it has one.")),
});

export const LockPostInput = inputType("LockPostInput", "What to lock.", {
  id: int(NUMBER),
  locks: listOf(oneOf(PostLock, "What of it to lock: notes and rating as Builder, the status as Admin.")),
});

export const UnlockPostInput = inputType("UnlockPostInput", "What to unlock.", {
  id: int(NUMBER),
  locks: listOf(oneOf(PostLock, "What of it to unlock: notes and rating as Builder, the status as Admin.")),
});

export const ExpungePostPayload = objectType("ExpungePostPayload", "What is left of the post.", {
  postId: int("Number that the post had."),
});
