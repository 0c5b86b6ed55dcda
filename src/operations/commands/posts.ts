/** `board post ...`: moderation in the name of the board itself, not of a user. */
import type { Command } from "commander";
import type { PostRecord } from "../../resources/posts/post.records.js";
import { idOf, print, withBoard } from "./command.js";

/** Prints the post's id, and the fields that moderation changes. */
const printPost = (post: PostRecord): void =>
  print({
    id: post.id,
    is_pending: post.isPending,
    is_flagged: post.isFlagged,
    is_deleted: post.isDeleted,
    is_note_locked: post.isNoteLocked,
    is_rating_locked: post.isRatingLocked,
    is_status_locked: post.isStatusLocked,
  });

/** `post approve`, `post lock`, `post delete`. */
export function postCommands(program: Command): void {
  const post = program.command("post").description("moderation of posts, in the name of the board itself");
  post
    .command("approve")
    .description("approve a post that is pending, flagged or deleted")
    .argument("<id>", "id of the post", idOf("a post"))
    .action((id: number) => withBoard(async (board) => printPost(await board.postModeration.approve("board", id))));
  post
    .command("lock")
    .description("lock a post's notes and rating")
    .argument("<id>", "id of the post", idOf("a post"))
    .action((id: number) =>
      withBoard(async (board) => printPost(await board.postModeration.lock("board", id, ["note", "rating"]))),
    );
  post
    .command("delete")
    .description("delete a post; it can be undeleted")
    .argument("<id>", "id of the post", idOf("a post"))
    .argument("<reason>", "reason, visible to everybody")
    .action((id: number, reason: string) =>
      withBoard(async (board) => printPost(await board.postModeration.delete("board", id, reason))),
    );
}
