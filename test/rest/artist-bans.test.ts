import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { tasks } from "../../src/operations/tasks.js";
import { startJobs } from "../../src/runtime/jobs/queue.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { runBoardCommand } from "../support/command.js";
import { copyPost } from "../support/copies.js";
import type { TestUser } from "../support/factory.js";
import { holdRow, PATIENCE } from "../support/held-table.js";
import { deadlocksOf, gappyVersions, tracesOf, wrongCounts, wrongTagCounts } from "../support/traces.js";

let test: TestBoard;
let admin: TestUser;
let moderator: TestUser;
beforeAll(async () => {
  test = await startBoard();
  admin = await test.make.user("Admin");
  moderator = await test.make.user("Moderator");
});
afterAll(() => test[Symbol.asyncDispose]());

const artist = async (name: string): Promise<number> =>
  ((await admin.client.post("/artists.json", { artist: { name } })).json as { id: number }).id;
const ban = (id: number, by = admin) => by.client.put(`/artists/${id}/ban.json`);
const unban = (id: number, by = admin) => by.client.put(`/artists/${id}/unban.json`);
/** A post of 600x600 pixels, which gets no automatic tags. */
const post = async (tags: string) => (await test.make.post(tags, { file: await test.make.picture(600, 600) })).id;
const stateOf = async (id: number): Promise<[string, boolean]> => {
  const { json } = await admin.client.get(`/posts/${id}.json`);
  return [json.tag_string, json.is_banned];
};
const implications = async (name: string): Promise<string[]> => {
  const rows = await test.board.database.tagImplication.findMany({
    where: { antecedentName: name, consequentName: "banned_artist" },
    orderBy: { id: "asc" },
  });
  return rows.map((row) => row.status);
};

async function expectOrder(): Promise<void> {
  expect(await wrongCounts(test)).toEqual([]);
  expect(await wrongTagCounts(test)).toEqual([]);
  expect(await gappyVersions(test)).toEqual([]);
}

describe("PUT /artists/{id}/ban.json", () => {
  it("bans the posts, tags them, and lets the tag imply banned_artist", async () => {
    const id = await artist("rembrandt");
    const posts = [await post("rembrandt sea"), await post("rembrandt"), await post("sea")];
    const { status, json } = await ban(id);
    expect([status, json.success, json.is_banned]).toEqual([200, true, true]);
    expect(await Promise.all(posts.map(stateOf))).toEqual([
      ["banned_artist rembrandt sea", true],
      ["banned_artist rembrandt", true],
      ["sea", false],
    ]);
    expect(await implications("rembrandt")).toEqual(["active"]);
    const versions = await admin.client.get("/post_versions.json", { search: { post_id: posts[0] ?? 0 } });
    expect(
      versions.json.map((each: { version: number; added_tags: string[]; updater_id: number }) => [
        each.version,
        each.updater_id,
        each.added_tags,
      ])[0],
    ).toEqual([2, admin.id, ["banned_artist"]]);
    const history = await test.board.database.artistVersion.findMany({
      where: { artistId: id },
      orderBy: { id: "asc" },
    });
    expect(history.map(({ version, isBanned }) => [version, isBanned])).toEqual([
      [1, false],
      [2, true],
    ]);
    const actions = await test.board.database.modAction.findMany({ where: { subjectType: "Artist", subjectId: id } });
    expect(actions).toMatchObject([{ category: "artist_ban", creatorId: admin.id }]);
    await expectOrder();
  });

  it("changes only posts added since, if repeated", async () => {
    const id = await artist("late");
    await ban(id);
    const since = await post("late");
    expect(await stateOf(since)).toEqual(["banned_artist late", false]);
    await ban(id);
    expect(await stateOf(since)).toEqual(["banned_artist late", true]);
    expect(await implications("late")).toEqual(["active"]);
    expect(await test.board.database.artistVersion.count({ where: { artistId: id } })).toBe(2);
    const before = await tracesOf(test);
    await ban(id);
    expect(await tracesOf(test)).toEqual(before);
    await expectOrder();
  });

  it("leaves more than a hundred posts to a job, which holds no locks on the others while it waits for one, and leaves the rest to the next when it is stopped", async () => {
    const id = await artist("prolific");
    const model = await post("prolific");
    const copies = await copyPost(test, model, 600);
    await test.board.database.execute(sql`UPDATE tags SET post_count = post_count + 600 WHERE name = 'prolific'`);
    const banned = () => test.board.database.post.count({ where: { isBanned: true, tagCount: 2, tagCountArtist: 2 } });
    const before = await banned();
    await ban(id);
    expect(await banned()).toBe(before);
    await using held = await holdRow(test.board.databaseUrl, "posts", copies[300] ?? 0);
    const startWorker = () => startJobs(test.board.databaseUrl, tasks(test.board), test.board.log);
    const stopped = await startWorker();
    await expect.poll(banned, { timeout: 20_000 }).toBe(before + 300);
    const ended = stopped[Symbol.asyncDispose]();
    await held[Symbol.asyncDispose]();
    await ended;
    expect(await banned()).toBe(before + 400);
    await using _worker = await startWorker();
    await expect.poll(banned, { timeout: 20_000 }).toBe(before + 601);
    await expectOrder();
    expect((await stateOf(model))[0]).toBe("banned_artist prolific");
    await unban(id);
    await expect.poll(banned, { timeout: 20_000 }).toBe(before);
    expect(await stateOf(model)).toEqual(["prolific", false]);
    await expectOrder();
  });

  it("approves a pending implication", async () => {
    const id = await artist("asked");
    const data = { antecedentName: "asked", consequentName: "banned_artist", creatorId: moderator.id };
    await test.board.database.tagImplication.create({ data });
    await ban(id);
    expect(await implications("asked")).toEqual(["active"]);
  });

  it("bans posts that are given the tag at the same time, by edits that know of no ban yet, also when a banned artist is renamed", async () => {
    await using other = await startBoard(PATIENCE);
    const { board, make } = other;
    const [boss, writer] = [await make.user("Admin"), await make.user("Contributor")];
    await make.post("lighthouse"); // a tag that edits lock before those of the artists
    const create = async (name: string) =>
      ((await boss.client.post("/artists.json", { artist: { name } })).json as { id: number }).id;
    const [hidden, renamed] = [await create("hidden"), await create("known")];
    await boss.client.put(`/artists/${renamed}/ban.json`);
    await create("unknown"); // so that its tag is there
    await board.database.artist.updateMany({ where: { name: "unknown" }, data: { name: "another" } });
    const lighthouse = await board.database.tag.findUniqueOrThrow({ where: { name: "lighthouse" } });
    const posts = [await make.post("harbour"), await make.post("harbour"), await make.post("harbour")];
    await using _worker = await startJobs(board.databaseUrl, tasks(board), board.log);
    await expect.poll(() => board.database.query(sql`SELECT FROM graphile_worker._private_jobs`)).toEqual([]);

    const held = await holdRow(board.databaseUrl, "tags", lighthouse.id);
    const edits = ["hidden", "unknown", "known"].map((tag, index) =>
      writer.client.put(`/posts/${posts[index]?.id}.json`, { post: { tag_string: `${tag} lighthouse` } }),
    );
    await expect.poll(() => held.waiting()).toBe(3);
    const banned = await boss.client.put(`/artists/${hidden}/ban.json`);
    const moved = await boss.client.put(`/artists/${renamed}.json`, { artist: { name: "unknown" } });
    await held[Symbol.asyncDispose]();
    expect([banned, moved, ...(await Promise.all(edits))].map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200,
    ]);

    const shown = async () =>
      Promise.all(
        posts.map(async ({ id }) => {
          const { json } = await boss.client.get(`/posts/${id}.json`);
          return [json.tag_string, json.is_banned] as unknown[];
        }),
      );
    await expect.poll(shown, { timeout: 20_000 }).toEqual([
      ["banned_artist hidden lighthouse lowres", true],
      ["banned_artist lighthouse lowres unknown", true],
      ["known lighthouse lowres", false],
    ]);
    expect(await wrongTagCounts(other)).toEqual([]);
    const versions = await board.database.artistVersion.count({ where: { artistId: hidden } });
    expect([versions, await board.database.modAction.count({ where: { subjectId: hidden } })]).toEqual([2, 1]);
  });

  it("works for the artist banned_artist itself, and for an artist without posts", async () => {
    expect((await ban(await artist("banned_artist"))).status).toBe(200);
    expect((await ban(await artist("without_posts"))).status).toBe(200);
    expect(await implications("banned_artist")).toEqual([]);
  });
});

describe("PUT /artists/{id}/unban.json", () => {
  it("undoes all of it, and the artist can be banned again", async () => {
    const id = await artist("vermeer");
    const painting = await post("vermeer pearl");
    await ban(id);
    const { status, json } = await unban(id);
    expect([status, json.is_banned]).toEqual([200, false]);
    expect(await stateOf(painting)).toEqual(["pearl vermeer", false]);
    expect(await implications("vermeer")).toEqual(["deleted"]);
    await expectOrder();
    await ban(id);
    expect(await stateOf(painting)).toEqual(["banned_artist pearl vermeer", true]);
    expect(await implications("vermeer")).toEqual(["deleted", "active"]);
    await expectOrder();
  });

  it("has a version of its own, as the ban has, also with VERSION_MERGE_MINUTES", async () => {
    await using merging = await startBoard({ VERSION_MERGE_MINUTES: "60" });
    const { client } = await merging.make.user("Admin");
    const { id } = (await client.post("/artists.json", { artist: { name: "hokusai" } })).json as { id: number };
    for (const verb of ["ban", "unban"]) expect((await client.put(`/artists/${id}/${verb}.json`)).status).toBe(200);
    const { json } = await client.get("/artist_versions.json", { search: { artist_id: id } });
    expect((json as { is_banned: boolean }[]).map((version) => version.is_banned)).toEqual([false, true, false]);
  });

  it("does not change posts of another banned artist", async () => {
    const [one, other] = [await artist("first_of_two"), await artist("second_of_two")];
    const [both, alone] = [await post("first_of_two second_of_two"), await post("first_of_two")];
    await ban(one);
    await ban(other);
    await unban(one);
    expect(await stateOf(both)).toEqual(["banned_artist first_of_two second_of_two", true]);
    expect(await stateOf(alone)).toEqual(["first_of_two", false]);
    await expectOrder();
  });

  it("frees a post of two artists who are unbanned at the same time", async () => {
    const [one, other] = [await artist("first_at_once"), await artist("second_at_once")];
    const [both, alone] = [await post("first_at_once second_at_once"), await post("first_at_once")];
    await ban(one);
    await ban(other);
    await using held = await holdRow(test.board.databaseUrl, "posts", alone);
    const first = unban(one);
    await expect.poll(() => held.waiting()).toBe(1);
    const second = unban(other);
    await expect.poll(() => held.waiting()).toBe(2);
    await held[Symbol.asyncDispose]();
    await Promise.all([first, second]);
    expect(await stateOf(both)).toEqual(["first_at_once second_at_once", false]);
    await expectOrder();
  });

  it("changes nothing for an artist who is not banned", async () => {
    const id = await artist("innocent");
    const untouched = await post("innocent");
    await test.board.database.post.update({ where: { id: untouched }, data: { isBanned: true } });
    expect((await unban(id)).json).toMatchObject({ success: true, is_banned: false });
    expect(await stateOf(untouched)).toEqual(["innocent", true]);
    expect(await test.board.database.artistVersion.count({ where: { artistId: id } })).toBe(1);
  });
});

describe("a banned artist", () => {
  it("can be renamed only by Admins; the ban moves to the new name", async () => {
    const id = await artist("old_name");
    const painting = await post("old_name");
    await ban(id);
    const refused = await moderator.client.put(`/artists/${id}.json`, { artist: { name: "new_name" } });
    expect([refused.status, refused.json.reason]).toEqual([403, "access denied"]);
    expect((await moderator.client.put(`/artists/${id}.json`, { artist: { group_name: "x" } })).status).toBe(200);
    const renamed = await post("new_name");
    await admin.client.put(`/artists/${id}.json`, { artist: { name: "new_name" } });
    expect(await Promise.all([painting, renamed].map(stateOf))).toEqual([
      ["old_name", false],
      ["banned_artist new_name", true],
    ]);
    expect([await implications("old_name"), await implications("new_name")]).toEqual([["deleted"], ["active"]]);
    await expectOrder();
  });

  it("is renamed beside writes of the posts of both names, which lock them in the order of their ids", async () => {
    const id = await artist("name_of_later_post");
    const earlier = await post("name_of_earlier_post");
    const later = await post("name_of_later_post");
    await ban(id);
    const before = await deadlocksOf(test);
    const writer = new pg.Client({ connectionString: test.board.databaseUrl });
    await writer.connect();
    await writer.query("BEGIN");
    const lock = (postId: number) => writer.query("SELECT FROM posts WHERE id = $1 FOR NO KEY UPDATE", [postId]);
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))";
    await lock(earlier);
    const renaming = admin.client.put(`/artists/${id}.json`, { artist: { name: "name_of_earlier_post" } });
    await expect.poll(async () => (await writer.query(waiting)).rowCount).toBe(1);
    await lock(later);
    await writer.end();
    expect((await renaming).status).toBe(200);
    expect(await deadlocksOf(test)).toBe(before);
  });

  it("leaves posts that get the new name while the others are locked to the job", async () => {
    const id = await artist("name_before");
    const got = await post("plain");
    const held = await post("name_before");
    await ban(id);
    const before = await deadlocksOf(test);
    await using writer = await holdRow(test.board.databaseUrl, "posts", held);
    const renaming = admin.client.put(`/artists/${id}.json`, { artist: { name: "name_after" } });
    await expect.poll(() => writer.waiting()).toBe(1);
    await admin.client.put(`/posts/${got}.json`, { post: { tag_string: "name_after" } });
    const other = new pg.Client({ connectionString: test.board.databaseUrl });
    await other.connect();
    await other.query("BEGIN");
    const lock = (postId: number) => other.query("SELECT FROM posts WHERE id = $1 FOR NO KEY UPDATE", [postId]);
    await lock(got);
    const locked = lock(held);
    await expect.poll(() => writer.waiting()).toBe(2);
    await writer[Symbol.asyncDispose]();
    expect((await renaming).status).toBe(200);
    await locked;
    await other.end();
    expect(await deadlocksOf(test)).toBe(before);
  });

  it("stays banned after a revert", async () => {
    const id = await artist("reverted");
    const [first] = await test.board.database.artistVersion.findMany({ where: { artistId: id } });
    await ban(id);
    await admin.client.put(`/artists/${id}.json`, { artist: { group_name: "x" } });
    const { json } = await moderator.client.put(`/artists/${id}/revert.json`, { version_id: first?.id });
    expect(json).toMatchObject({ group_name: "", is_banned: true });
  });
});

describe("refusals", () => {
  it("403 below Admin, 404 for an unknown artist; nothing changes", async () => {
    const id = await artist("safe");
    const painting = await post("safe");
    const before = await tracesOf(test);
    const answers = [
      await ban(id, moderator),
      await unban(id, moderator),
      await test.anonymous.put(`/artists/${id}/ban.json`),
      await ban(999_999),
      await unban(999_999),
    ];
    expect(answers.map(({ status, json }) => [status, json.reason])).toEqual([
      [403, "access denied"],
      [403, "access denied"],
      [403, "login required"],
      [404, "not found"],
      [404, "not found"],
    ]);
    expect(await tracesOf(test)).toEqual(before);
    expect(await stateOf(painting)).toEqual(["safe", false]);
    expect(await implications("safe")).toEqual([]);
  });
});

describe("board artist ban ID", () => {
  const run = (...args: string[]) => runBoardCommand(test.board, ["artist", ...args]);

  it("bans in the name of the first Admin and prints a line of JSON; unban undoes it", async () => {
    const id = await artist("by_command");
    const painting = await post("by_command");
    const { code, stdout } = await run("ban", String(id));
    expect([code, stdout]).toEqual([0, `{"id":${id},"name":"by_command","is_banned":true}\n`]);
    expect(await stateOf(painting)).toEqual(["banned_artist by_command", true]);
    const [version] = await test.board.database.artistVersion.findMany({ where: { artistId: id, isBanned: true } });
    expect(version?.updaterId).toBe(admin.id);
    expect((await run("unban", String(id))).stdout).toBe(`{"id":${id},"name":"by_command","is_banned":false}\n`);
    expect(await stateOf(painting)).toEqual(["by_command", false]);
  });

  it("acts as an Admin whose ban has expired, even if it is not lifted yet, but not as a banned one", async () => {
    const { database } = test.board;
    const id = await artist("by_admin_again");
    const last = () =>
      database.modAction.findFirstOrThrow({ where: { category: "artist_ban" }, orderBy: { id: "desc" } });
    const banned = { userId: admin.id, bannerId: moderator.id, reason: "x" };
    const { id: banId } = await database.ban.create({ data: { ...banned, expiresAt: new Date(Date.now() - 1000) } });
    await database.user.update({ where: { id: admin.id }, data: { isBanned: true } });
    expect(await run("ban", String(id))).toMatchObject({ code: 0 });
    expect((await last()).creatorId).toBe(admin.id);
    await database.ban.update({ where: { id: banId }, data: { expiresAt: null } });
    expect(await run("unban", String(id))).toMatchObject({
      code: 1,
      stderr: "This needs an Admin account; create one with `user create NAME PASSWORD admin`.\n",
    });
    await database.ban.delete({ where: { id: banId } });
    await database.user.update({ where: { id: admin.id }, data: { isBanned: false } });
  });

  it("reports what is wrong and fails", async () => {
    expect(await run("ban", "999999")).toEqual({ code: 1, stdout: "", stderr: "not found\n" });
    expect(await run("ban", "bob")).toMatchObject({ code: 1, stderr: expect.stringContaining("must be the id") });
  });
});

describe("420 for a ban that aliases and implications don't allow; nothing changes", () => {
  const refused = async (change: () => Promise<{ status: number; json: { reason: string } }>, reason: string) => {
    const before = await tracesOf(test);
    const { status, json } = await change();
    expect([status, json.reason]).toEqual([420, reason]);
    expect(await tracesOf(test)).toEqual(before);
  };

  it("of an artist whose tag is aliased, and of a banned artist renamed to one", async () => {
    const [aliased, renamed] = [await artist("pen_name"), await artist("renamed_artist")];
    const names = { antecedentName: "pen_name", consequentName: "full_name" };
    await test.board.database.tagAlias.create({ data: { ...names, creatorId: admin.id, status: "queued" } });
    await refused(() => ban(aliased), "antecedent_name is aliased to another tag");
    await ban(renamed);
    await admin.client.put(`/artists/${aliased}.json`, { artist: { name: "no_longer_pen_name" } });
    const rename = () => admin.client.put(`/artists/${renamed}.json`, { artist: { name: "pen_name" } });
    await refused(rename, "antecedent_name is aliased to another tag");
  });

  it("of an artist whose tag banned_artist implies", async () => {
    const id = await artist("implied_artist");
    const names = { antecedentName: "banned_artist", consequentName: "implied_artist" };
    await test.board.database.tagImplication.create({ data: { ...names, creatorId: admin.id, status: "active" } });
    await refused(() => ban(id), "consequent_name already implies the antecedent");
  });
});
