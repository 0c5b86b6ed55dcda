/** Refusals because of the state or lock of a record: each in both formats, with nothing changed. */
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Input } from "../support/recipes.js";
import { faulty } from "../support/refusal-matrix.js";
import { DENIED, locked, NOT_FOUND, type Rule, type Rules, startRules } from "../support/rules.js";
import { type Columns, fresh } from "../support/stage.js";

let rules: Rules;
beforeAll(async () => {
  rules = await startRules();
}, 60_000);
afterAll(() => rules[Symbol.asyncDispose]());

describe("a deleted record", () => {
  const dmail = async (): Promise<number> => {
    const id = await rules.stage.another("dmails", { owner_id: rules.member.id, from_id: rules.member.id });
    await rules.member.client.delete(`/dmails/${id}.json`);
    return id;
  };
  const comment = (columns: Columns = {}): Promise<number> => rules.own("comments", { is_deleted: true, ...columns });
  const topic = (): Promise<number> => rules.own("forum_topics", { is_deleted: true });
  const forumPost = (): Promise<number> => rules.own("forum_posts", { is_deleted: true });
  const gone = (): Promise<number> => rules.stage.another("users", { name: fresh("sailor"), is_deleted: true });
  const nameOf = async (id: number) => (await rules.test.board.database.user.findUniqueOrThrow({ where: { id } })).name;
  const deletedName = async (table: "artists" | "wiki_pages", column: string): Promise<string> => {
    const name = fresh("gone");
    await rules.stage.another(table, {
      [column]: name,
      ...(table === "artists" ? { is_active: false } : { is_deleted: true }),
    });
    return name;
  };

  it.each<Rule>([
    ["GET /dmails/:id", "a dmail is shown", async () => ({ id: await dmail() }), NOT_FOUND],
    ["PUT /dmails/:id", "a dmail is marked", async () => ({ id: await dmail(), isRead: true }), NOT_FOUND],
    ["DELETE /dmails/:id", "a dmail is deleted again", async () => ({ id: await dmail() }), NOT_FOUND],
    ["PUT /comments/:id", "the own comment is edited", async () => ({ id: await comment(), body: "!" }), DENIED],
    [
      "POST /comments/:id/undelete",
      "the own comment that the staff deleted is brought back",
      async () => ({ id: await comment({ updater_id: rules.stage.owner.id }) }),
      DENIED,
    ],
    [
      "POST /comments/:comment_id/votes",
      "a comment is voted on",
      async () => ({ commentId: await comment(), score: "DOWN" }),
      DENIED,
    ],
    ["PUT /forum_topics/:id", "the own topic is edited", async () => ({ id: await topic(), title: "B" }), DENIED],
    ["POST /forum_topics/:id/undelete", "the own topic is brought back", async () => ({ id: await topic() }), DENIED],
    [
      "PUT /forum_posts/:id",
      "the own forum post is edited",
      async () => ({ id: await forumPost(), body: "!" }),
      DENIED,
    ],
    [
      "POST /forum_posts/:id/undelete",
      "the own forum post is brought back",
      async () => ({ id: await forumPost() }),
      DENIED,
    ],
    [
      "POST /pools/:id/undelete",
      "a pool is brought back",
      async () => ({ id: await rules.own("pools", { name: fresh("fleet"), is_deleted: true }) }),
      DENIED,
    ],
    [
      "POST /artists/:id/undelete",
      "an artist is brought back",
      async () => ({ id: await rules.own("artists", { name: fresh("by"), is_active: false }) }),
      DENIED,
    ],
    [
      "POST /artists",
      "an artist is made anew",
      async () => ({ name: await deletedName("artists", "name") }),
      faulty(423, "name", "is already taken"),
    ],
    [
      "PUT /wiki_pages/:id",
      "a wiki page is brought back",
      async () => ({ id: await rules.own("wiki_pages", { title: fresh("ship"), is_deleted: true }), isDeleted: false }),
      DENIED,
    ],
    [
      "POST /wiki_pages",
      "a wiki page is made anew",
      async () => ({ title: await deletedName("wiki_pages", "title"), body: "!" }),
      faulty(423, "title", "is already taken"),
    ],
    [
      "POST /post_flags",
      "a post is flagged",
      async () => ({ postId: await rules.stage.anotherPost({ is_deleted: true }), reason: "A boat." }),
      faulty(420, "post", "is deleted"),
    ],
    [
      "POST /post_appeals",
      "a post is appealed that is not deleted",
      async () => ({ postId: await rules.stage.anotherPost(), reason: "A ship." }),
      faulty(420, "post", "is neither deleted nor flagged"),
    ],
    [
      "PUT /posts/:id/copy_notes",
      "a post's only note is copied",
      async () => {
        const id = await rules.stage.anotherPost();
        await rules.stage.another("notes", { post_id: id, is_active: false });
        return { id, otherPostId: await rules.stage.anotherPost() };
      },
      faulty(420, "post", "has no notes"),
    ],
    [
      "POST /dmails",
      "an account is written to",
      async () => ({ toName: await nameOf(await gone()), title: "Ahoy", body: "!" }),
      faulty(420, "to_name", "does not exist"),
    ],
    [
      "POST /users",
      "an account is made anew",
      async () => newUser(await nameOf(await gone())),
      faulty(423, "name", "is already taken"),
    ],
  ])("%s: %s", (...rule) => rules.check(rule));
});

const newUser = (name: string): Input => ({ name, password: "a good one" });

describe("a lock", () => {
  const post = (columns: Columns): Promise<number> => rules.stage.anotherPost(columns);
  const noteLocked = (): Promise<number> => post({ is_note_locked: true });
  const note = async (): Promise<number> => rules.stage.another("notes", { post_id: await noteLocked() });
  const ratingLocked = (): Promise<number> => post({ is_rating_locked: true });
  const NOTES = locked("post is note-locked");
  const RATING = locked("rating is locked");
  const STATUS = locked("post is status-locked");

  it.each<Rule>([
    [
      "POST /notes",
      "of the notes",
      async () => ({ postId: await noteLocked(), x: 1, y: 1, width: 1, height: 1, body: "!" }),
      NOTES,
    ],
    ["PUT /notes/:id", "of the notes", async () => ({ id: await note(), body: "!" }), NOTES],
    ["DELETE /notes/:id", "of the notes", async () => ({ id: await note() }), NOTES],
    [
      "PUT /notes/:id/revert",
      "of the notes",
      async () => {
        const id = await note();
        return { id, versionId: await rules.stage.version("note_versions", { note_id: id }) };
      },
      NOTES,
    ],
    [
      "PUT /posts/:id/copy_notes",
      "of the other post's notes",
      async () => ({ id: rules.stage.records.posts, otherPostId: await noteLocked() }),
      NOTES,
    ],
    ["PUT /posts/:id", "of the rating", async () => ({ id: await ratingLocked(), rating: "EXPLICIT" }), RATING],
    [
      "PUT /posts/:id",
      "of the rating, in tags",
      async () => ({ id: await ratingLocked(), tagString: "rating:e" }),
      RATING,
    ],
    [
      "PUT /posts/:id/revert",
      "of the rating",
      async () => {
        const id = await ratingLocked();
        return { id, versionId: await rules.stage.version("post_versions", { post_id: id, rating: "e" }) };
      },
      RATING,
    ],
    [
      "POST /post_flags",
      "of the status",
      async () => ({ postId: await post({ is_status_locked: true }), reason: "A boat." }),
      STATUS,
    ],
    [
      "POST /post_appeals",
      "of the status",
      async () => ({ postId: await post({ is_status_locked: true, is_deleted: true }), reason: "A ship." }),
      STATUS,
    ],
  ])("%s is 422 for everybody under a lock %s", (...rule) => rules.check(rule, ["member", "builder", "admin"]));

  const page = (): Promise<number> => rules.own("wiki_pages", { title: fresh("ship"), is_locked: true });
  const topic = (): Promise<number> => rules.own("forum_topics", { is_locked: true });
  const forumPost = async (): Promise<number> => rules.own("forum_posts", { topic_id: await topic() });
  const PAGE = locked("wiki page is locked");
  const TOPIC = locked("topic is locked");

  it.each<Rule>([
    ["PUT /wiki_pages/:id", "page", async () => ({ id: await page(), body: "!" }), PAGE],
    [
      "PUT /wiki_pages/:id/revert",
      "page",
      async () => {
        const id = await page();
        return { id, versionId: await rules.stage.version("wiki_page_versions", { wiki_page_id: id }) };
      },
      PAGE,
    ],
    ["PUT /forum_topics/:id", "topic", async () => ({ id: await topic(), title: "B" }), TOPIC],
    ["DELETE /forum_topics/:id", "topic", async () => ({ id: await topic() }), TOPIC],
    ["POST /forum_posts", "topic", async () => ({ topicId: await topic(), body: "!" }), TOPIC],
    ["PUT /forum_posts/:id", "topic", async () => ({ id: await forumPost(), body: "!" }), TOPIC],
    ["DELETE /forum_posts/:id", "topic", async () => ({ id: await forumPost() }), TOPIC],
  ])("%s is 422 for the Member whose %s it is", (...rule) => rules.check(rule));
});
