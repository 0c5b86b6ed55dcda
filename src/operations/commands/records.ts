/** `artist ...`; `post ...`, as the board itself, not as a user; `alias create`, `implication create`. */
import type { Command } from "commander";
import { adminContext, idOf, print, withBoard } from "./command.js";
import type { PostModerationService } from "../../resources/posts/post-moderation.service.js";
import type { PostRecord } from "../../resources/posts/post.records.js";
import type { RelationKind } from "../../resources/tag-relations/tag-relation.records.js";

const changeBan = (method: "ban" | "unban") => (id: number) =>
  withBoard(async (board) => {
    const artist = await board.artists[method](await adminContext(board), id);
    print({ id: artist.id, name: artist.name, is_banned: artist.isBanned });
  });

function artistCommands(program: Command): void {
  const artist = program.command("artist").description("artists");
  const command = (method: "ban" | "unban", description: string) =>
    artist
      .command(method)
      .description(description)
      .argument("<id>", "id of the artist", idOf("an artist"))
      .action(changeBan(method));
  command("ban", "ban an artist and their posts; prints id, name and is_banned");
  command("unban", "lift the ban of an artist and of their posts");
}

/** Changes a post, and prints its id and the fields that moderation changes. */
const moderate = (change: (posts: PostModerationService) => Promise<PostRecord>): Promise<void> =>
  withBoard(async (board) => {
    const post = await change(board.postModeration);
    print({
      id: post.id,
      is_pending: post.isPending,
      is_flagged: post.isFlagged,
      is_deleted: post.isDeleted,
      is_note_locked: post.isNoteLocked,
      is_rating_locked: post.isRatingLocked,
      is_status_locked: post.isStatusLocked,
    });
  });

function postCommands(program: Command): void {
  const post = program.command("post").description("moderation of posts, as the board itself");
  post
    .command("approve")
    .description("approve a post that is pending, flagged or deleted")
    .argument("<id>", "id of the post", idOf("a post"))
    .action((id: number) => moderate((posts) => posts.approve("board", id)));
  post
    .command("lock")
    .description("lock a post's notes and rating")
    .argument("<id>", "id of the post", idOf("a post"))
    .action((id: number) => moderate((posts) => posts.setLocks("board", id, ["note", "rating"], true)));
  post
    .command("delete")
    .description("delete a post; it can be undeleted")
    .argument("<id>", "id of the post", idOf("a post"))
    .argument("<reason>", "reason, visible to everybody")
    .action((id: number, reason: string) => moderate((posts) => posts.delete("board", id, reason)));
}

/** Creates an alias or implication, applies it to the posts, and prints it. */
const createRelation = (kind: RelationKind) => (antecedentName: string, consequentName: string) =>
  withBoard(async (board) => {
    const { viewer } = await adminContext(board);
    const service = kind === "alias" ? board.tagAliases : board.tagImplications;
    const made = await service.createApproved(viewer.id, { antecedentName, consequentName });
    await board.tagRelationApplier.apply(kind, made.id);
    const relation = (await service.byIds([made.id])).get(made.id);
    print({
      id: made.id,
      antecedent_name: made.antecedentName,
      consequent_name: made.consequentName,
      status: relation?.status,
    });
  });

function tagRelationCommands(program: Command): void {
  for (const kind of ["alias", "implication"] as const) {
    program
      .command(kind)
      .description(`tag ${kind === "alias" ? "aliases" : "implications"}`)
      .command("create")
      .description(`create a tag ${kind} and apply it to the posts; prints it once it is active`)
      .argument("<antecedent>")
      .argument("<consequent>")
      .action(createRelation(kind));
  }
}

export function register(program: Command): void {
  artistCommands(program);
  postCommands(program);
  tagRelationCommands(program);
}
