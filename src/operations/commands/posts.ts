/** `board post ...`: moderation from a shell, in the name of the board itself rather than of a user. */
import { type Command, InvalidArgumentError } from "commander";
import type { PostRecord } from "../../resources/posts/post.records.js";
import { print, withBoard } from "./command.js";

const MAX_INT = 2_147_483_647;

function postId(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > MAX_INT) throw new InvalidArgumentError("must be the number of a post.");
  return Number(text);
}

/** One line: the post's number, and what moderation changes of it. */
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

/** Adds the commands of posts. */
export function postCommands(program: Command): void {
  const post = program.command("post").description("moderation of posts, in the name of the board itself");
  post
    .command("approve")
    .description("approve a post that is pending, flagged or deleted")
    .argument("<id>", "number of the post", postId)
    .action((id: number) => withBoard(async (board) => printPost(await board.postModeration.approve("board", id))));
  post
    .command("lock")
    .description("lock a post's notes and rating")
    .argument("<id>", "number of the post", postId)
    .action((id: number) =>
      withBoard(async (board) => printPost(await board.postModeration.lock("board", id, ["note", "rating"]))),
    );
  post
    .command("delete")
    .description("delete a post; it can be brought back")
    .argument("<id>", "number of the post", postId)
    .argument("<reason>", "why, for everybody to read")
    .action((id: number, reason: string) =>
      withBoard(async (board) => printPost(await board.postModeration.delete("board", id, reason))),
    );
}
