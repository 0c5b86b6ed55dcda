import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let janitor: TestUser;
let builder: TestUser;
let admin: TestUser;
beforeAll(async () => {
  test = await startBoard();
  janitor = await test.make.user("Janitor");
  builder = await test.make.user("Builder");
  admin = await test.make.user("Admin");
});
afterAll(() => test[Symbol.asyncDispose]());

const STATE = "id isPending isFlagged isDeleted isBanned approverId";

/** The post after a mutation, or the code and reason of its refusal. */
async function run(by: Client, mutation: string, id: number, rest: Params = {}, fields = STATE) {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!`;
  const document = `mutation($input: ${type}) { ${mutation}(input: $input) { post { ${fields} } } }`;
  const { json } = await by.graphql(document, { input: { id, ...rest } });
  const [error] = json.errors ?? [];
  return error ? [error.extensions.status, error.extensions.reason] : json.data[mutation].post;
}
const row = (id: number) => test.board.database.post.findUniqueOrThrow({ where: { id } });
const set = (id: number, data: Record<string, unknown>) => test.board.database.post.update({ where: { id }, data });
const post = async (state: Record<string, unknown> = {}): Promise<number> => {
  const { id } = await test.make.post();
  await set(id, state);
  return id;
};
const log = (id: number) =>
  test.board.database.modAction.findMany({ where: { subjectType: "Post", subjectId: id }, orderBy: { id: "asc" } });
const flagsOf = (id: number) =>
  test.board.database.postFlag.findMany({ where: { postId: id }, orderBy: { id: "asc" } });
const active = { isPending: false, isFlagged: false, isDeleted: false, isBanned: false };

describe("approvePost", () => {
  it("activates a pending post, with an approval and a mod action", async () => {
    const { id } = await test.make.post("x", {}, await test.make.user());
    expect(await run(janitor.client, "approvePost", id)).toEqual({ id, ...active, approverId: janitor.id });
    expect(await test.board.database.postApproval.findMany({ where: { postId: id } })).toMatchObject([
      { userId: janitor.id },
    ]);
    expect(await log(id)).toMatchObject([
      { category: "post_approve", description: `approved post #${id}`, creatorId: janitor.id },
    ]);
  });

  it("resolves the open flags of a flagged post", async () => {
    const id = await post();
    const earlier = { isResolved: true, updatedAt: new Date("2020-01-01") };
    const data = { postId: id, creatorId: admin.id, reason: "y", ...earlier };
    await test.board.database.postFlag.create({ data });
    await builder.client.post("/post_flags.json", { post_flag: { post_id: id, reason: "x" } });
    expect(await run(janitor.client, "approvePost", id)).toMatchObject(active);
    expect(await flagsOf(id)).toMatchObject([earlier, { isResolved: true }]);
  });

  it("undeletes a deleted post, and updates the parent", async () => {
    const parent = await post();
    const { id } = await test.make.post("x", { parent_id: parent });
    await run(janitor.client, "deletePost", id, { reason: "x" });
    expect(await row(parent)).toMatchObject({ hasChildren: true, hasActiveChildren: false });
    expect(await run(janitor.client, "approvePost", id)).toMatchObject(active);
    expect(await row(parent)).toMatchObject({ hasChildren: true, hasActiveChildren: true });
    expect((await log(id)).map(({ category }) => category)).toEqual(["post_delete", "post_undelete"]);
  });

  it("420 for an active post, 422 for a status-locked one, 404 for an unknown one", async () => {
    const locked = await post({ isPending: true, isStatusLocked: true });
    expect(await run(janitor.client, "approvePost", await post())).toEqual([420, "post is active"]);
    expect(await run(janitor.client, "approvePost", locked)).toEqual([422, "post is status-locked"]);
    expect(await run(janitor.client, "approvePost", 999_999)).toEqual([404, "not found"]);
    expect([await row(locked), await log(locked)]).toMatchObject([{ isPending: true }, []]);
  });

  it("403 for one's own upload, even as Admin, and below Janitor", async () => {
    for (const uploader of [janitor, admin]) {
      const { id } = await test.make.post("x", {}, uploader);
      await set(id, { isFlagged: true });
      expect(await run(uploader.client, "approvePost", id)).toEqual([403, "access denied"]);
    }
    const id = await post({ isPending: true });
    expect(await run((await test.make.user("Contributor")).client, "approvePost", id)).toEqual([403, "access denied"]);
    expect(await run(test.anonymous, "approvePost", id)).toEqual([403, "login required"]);
    expect(await row(id)).toMatchObject({ isPending: true });
  });

  it("423 for a second approval by the last approver, or by anyone within 30 days", async () => {
    const id = await post();
    const other = await test.make.user("Janitor");
    const approve = async ({ client }: TestUser, daysAgo: number) => {
      const createdAt = new Date(Date.now() - daysAgo * 86_400_000);
      await test.board.database.postApproval.updateMany({ where: { postId: id }, data: { createdAt } });
      await set(id, { isFlagged: true });
      return run(client, "approvePost", id);
    };
    const refused = [423, "already approved by you"];
    expect(await approve(janitor, 0)).toMatchObject(active);
    expect([await approve(janitor, 0), await approve(janitor, 31)]).toEqual([refused, refused]);
    expect(await approve(other, 0)).toMatchObject(active);
    expect(await approve(janitor, 29)).toEqual(refused);
    expect(await approve(janitor, 31)).toMatchObject(active);
  });
});

describe("deletePost and undeletePost", () => {
  it("stores the reason as a flag, and tag counts stay; undeleting resolves it", async () => {
    const { id } = await test.make.post("a_tag_of_this_post");
    await set(id, { isPending: true });
    const deleted = await run(janitor.client, "deletePost", id, { reason: " bad " });
    expect(deleted).toEqual({ id, ...active, isDeleted: true, approverId: null });
    expect(await flagsOf(id)).toMatchObject([
      { reason: "bad", creatorId: janitor.id, isDeletion: true, isResolved: false },
    ]);
    const tag = await test.board.database.tag.findUniqueOrThrow({ where: { name: "a_tag_of_this_post" } });
    expect(tag.postCount).toBe(1);
    expect(await run(admin.client, "undeletePost", id)).toEqual({ id, ...active, approverId: admin.id });
    expect(await flagsOf(id)).toMatchObject([{ isResolved: true }]);
    expect((await log(id)).map(({ description }) => description)).toEqual([
      `deleted post #${id}: bad`,
      `undeleted post #${id}`,
    ]);
  });

  it("bans a deleted post with the tag banned_artist, and no other; none stays flagged", async () => {
    const { id } = await test.make.post("banned_artist");
    expect(await run(janitor.client, "deletePost", id, { reason: "x" })).toMatchObject({ isBanned: true });
    const deleted = { ...active, isDeleted: true };
    for (const state of [{ isBanned: true }, { isFlagged: true }])
      expect(await run(janitor.client, "deletePost", await post(state), { reason: "x" })).toMatchObject({
        ...deleted,
        isBanned: state.isBanned ?? false,
      });
  });

  it("keeps the favorites of a post without a parent", async () => {
    const id = await post();
    await builder.client.post("/favorites.json", { post_id: id });
    expect(await run(janitor.client, "deletePost", id, { reason: "x", moveFavorites: true })).toMatchObject({ id });
    expect((await row(id)).favCount).toBe(1);
  });

  it("moves the favorites to the parent on request", async () => {
    const parent = await post();
    const { id } = await test.make.post("x", { parent_id: parent });
    await test.board.database.favorite.create({ data: { postId: id, userId: builder.id } });
    await run(janitor.client, "deletePost", id, { reason: "x", moveFavorites: true });
    expect([(await row(id)).favCount, (await row(parent)).favCount]).toEqual([0, 1]);
    expect((await log(id)).map(({ description }) => description)).toEqual([
      `deleted post #${id}: x`,
      `moved 1 favorites of post #${id} to post #${parent}`,
    ]);
  });

  it("420 without a reason or twice, 422 when status-locked, 403 below Janitor; nothing changes", async () => {
    const [id, locked] = [await post(), await post({ isStatusLocked: true })];
    expect(await run(janitor.client, "deletePost", id, { reason: " " })).toEqual([420, "reason can't be blank"]);
    expect(await run(janitor.client, "deletePost", locked, { reason: "x" })).toEqual([422, "post is status-locked"]);
    expect(await run(builder.client, "deletePost", id, { reason: "x" })).toEqual([403, "access denied"]);
    expect(await run(janitor.client, "undeletePost", id)).toEqual([420, "post is not deleted"]);
    expect(await run(janitor.client, "undeletePost", locked)).toEqual([422, "post is status-locked"]);
    expect([await flagsOf(id), await flagsOf(locked), await log(id)]).toEqual([[], [], []]);
    await run(janitor.client, "deletePost", id, { reason: "x" });
    expect(await run(janitor.client, "deletePost", id, { reason: "x" })).toEqual([420, "post is deleted"]);
  });

  it("only Admins undelete posts that they approved before", async () => {
    const approved = async (approverId: number) => post({ isDeleted: true, approverId });
    const refused = await run(janitor.client, "undeletePost", await approved(janitor.id));
    expect(refused).toEqual([423, "already approved by you"]);
    expect(await run(admin.client, "undeletePost", await approved(admin.id))).toMatchObject(active);
  });

  it("only Admins undelete their own uploads", async () => {
    for (const [uploader, outcome] of [
      [janitor, [403, "access denied"]],
      [admin, { isDeleted: false }],
    ] as const) {
      const { id } = await test.make.post("x", {}, uploader);
      await set(id, { isDeleted: true });
      expect(await run(uploader.client, "undeletePost", id)).toMatchObject(outcome);
    }
  });
});

describe("banPost and unbanPost", () => {
  it("hides the file below Gold until the ban is lifted", async () => {
    const id = await post();
    expect(await run(janitor.client, "banPost", id)).toMatchObject({ isBanned: true });
    expect((await test.anonymous.get(`/posts/${id}.json`)).json.file_url).toBeUndefined();
    expect(await run(janitor.client, "banPost", id)).toEqual([420, "post is banned"]);
    expect(await run(builder.client, "unbanPost", id)).toEqual([403, "access denied"]);
    expect(await run(janitor.client, "unbanPost", id)).toMatchObject({ isBanned: false });
    expect(await run(janitor.client, "unbanPost", id)).toEqual([420, "post is not banned"]);
    expect((await log(id)).map(({ category }) => category)).toEqual(["post_ban", "post_unban"]);
  });
});

describe("movePostFavorites", () => {
  it("moves them to the parent without duplicates, and updates the counters", async () => {
    const parent = await post();
    const { id } = await test.make.post("x", { parent_id: parent });
    const [one, both] = [await test.make.user(), await test.make.user()];
    const { favorite, user } = test.board.database;
    await favorite.createMany({
      data: [
        { postId: id, userId: one.id },
        { postId: id, userId: both.id },
        { postId: parent, userId: both.id },
      ],
    });
    await set(id, { favCount: 2 });
    await set(parent, { favCount: 1 });
    await user.update({ where: { id: one.id }, data: { favoriteCount: 1 } });
    await user.update({ where: { id: both.id }, data: { favoriteCount: 2 } });
    expect(await run(janitor.client, "movePostFavorites", id, {}, "favCount")).toEqual({ favCount: 0 });
    expect((await row(parent)).favCount).toBe(2);
    expect(await favorite.count({ where: { postId: parent } })).toBe(2);
    const counts = await user.findMany({ where: { id: { in: [one.id, both.id] } }, orderBy: { id: "asc" } });
    expect(counts.map(({ favoriteCount }) => favoriteCount)).toEqual([1, 1]);
    expect(await run(janitor.client, "movePostFavorites", parent)).toEqual([420, "post has no parent"]);
    expect(await run(builder.client, "movePostFavorites", id)).toEqual([403, "access denied"]);
  });
});

describe("lockPost and unlockPost", () => {
  const LOCKS = "isNoteLocked isRatingLocked isStatusLocked";

  it("Builders lock notes and rating, Admins the status", async () => {
    const id = await post();
    const unlocked = { isNoteLocked: false, isRatingLocked: false, isStatusLocked: false };
    const locked = { isNoteLocked: true, isRatingLocked: true, isStatusLocked: false };
    expect(await run(builder.client, "lockPost", id, { locks: ["NOTE", "RATING"] }, LOCKS)).toEqual(locked);
    const denied = await run(builder.client, "lockPost", id, { locks: ["NOTE", "STATUS"] }, LOCKS);
    expect(denied).toEqual([403, "access denied"]);
    expect(await run(admin.client, "lockPost", id, { locks: ["NOTE", "STATUS"] }, LOCKS)).toEqual({
      ...locked,
      isStatusLocked: true,
    });
    expect(await run(admin.client, "unlockPost", id, { locks: ["NOTE", "RATING", "STATUS"] }, LOCKS)).toEqual(unlocked);
    expect((await log(id)).map(({ description }) => description)).toEqual([
      `locked notes, rating of post #${id}`,
      `locked status of post #${id}`,
      `unlocked notes, rating, status of post #${id}`,
    ]);
  });

  it("403 below Builder, 424 without a lock, and no mod action if nothing changes", async () => {
    const id = await post({ isNoteLocked: true });
    expect(await run((await test.make.user("Platinum")).client, "lockPost", id, { locks: ["NOTE"] })).toEqual([
      403,
      "access denied",
    ]);
    expect(await run(builder.client, "lockPost", id, { locks: [] })).toEqual([424, "locks is required"]);
    await run(builder.client, "lockPost", id, { locks: ["NOTE"] });
    expect(await log(id)).toEqual([]);
  });
});

describe("a post that is removed as soon as its moderation is committed", () => {
  it("404", async () => {
    const { id } = await test.make.post("x", {}, await test.make.user());
    const { database } = test.board;
    await database.execute(sql`
      CREATE FUNCTION remove_post() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN DELETE FROM posts WHERE id = OLD.id; RETURN NULL; END'`);
    await database.execute(sql`
      CREATE CONSTRAINT TRIGGER removed AFTER UPDATE ON posts DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.is_banned) EXECUTE FUNCTION remove_post()`);
    expect(await run(janitor.client, "banPost", id)).toEqual([404, "not found"]);
    await database.execute(sql`DROP FUNCTION remove_post CASCADE`);
  });
});

describe("viewerCan", () => {
  it("reports a Janitor's rights on their own and others' posts", async () => {
    const query = (id: number) =>
      `{ post(id: ${id}) { viewerCan { approve delete undelete ban moveFavorites expunge lock lockStatus appeal } } }`;
    const own = (await test.make.post("x", {}, janitor)).id;
    const rights = { delete: true, ban: true, moveFavorites: true, expunge: false, lock: true, lockStatus: false };
    const mine = (await janitor.client.graphql(query(own))).json.data.post.viewerCan;
    const others = (await janitor.client.graphql(query(await post()))).json.data.post.viewerCan;
    expect(mine).toEqual({ ...rights, approve: false, undelete: false, appeal: true });
    expect(others).toEqual({ ...rights, approve: true, undelete: true, appeal: true });
  });
});
