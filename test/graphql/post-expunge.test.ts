import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { tasks } from "../../src/operations/tasks.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { holdTable } from "../support/held-table.js";

let test: TestBoard;
let admin: TestUser;
beforeAll(async () => {
  test = await startBoard();
  admin = await test.make.user("Admin");
});
afterAll(() => test[Symbol.asyncDispose]());

const expunge = async (id: number, by = admin) => {
  const { json } = await by.client.graphql(
    "mutation($input: ExpungePostInput!) { expungePost(input: $input) { postId } }",
    { input: { id } },
  );
  return json.errors ? json.errors[0].extensions.status : json.data.expungePost.postId;
};
const row = (id: number) => test.board.database.post.findUnique({ where: { id } });
const child = (parent: TestPost) => test.make.post("x", { parent_id: parent.id });
const filesOf = ({ md5 }: TestPost) =>
  readdirSync(path.join(test.folder, "data/media"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes(md5),
  );

describe("expungePost", () => {
  it("removes the post with everything that belongs to it, and its files", async () => {
    const post = await test.make.post("the_last_of_its_tag");
    const member = await test.make.user();
    await member.client.post("/post_flags.json", { post_flag: { post_id: post.id, reason: "x" } });
    await member.client.post(`/posts/${post.id}/votes.json`, { score: "up" });
    const note = { post_id: post.id, x: 0, y: 0, width: 1, height: 1, body: "x" };
    await member.client.post("/notes.json", { note });
    await test.board.database.favorite.create({ data: { postId: post.id, userId: member.id } });
    await test.board.database.user.update({ where: { id: member.id }, data: { favoriteCount: 1 } });
    expect(filesOf(post).length).toBeGreaterThan(1);

    expect(await expunge(post.id)).toBe(post.id);

    const { database } = test.board;
    expect((await test.anonymous.get(`/posts/${post.id}.json`)).status).toBe(404);
    expect(filesOf(post)).toEqual([]);
    const where = { postId: post.id };
    expect(await database.mediaFile.count({ where: { md5: post.md5 } })).toBe(0);
    expect(await database.postVersion.count({ where })).toBe(0);
    expect(await database.note.count({ where })).toBe(0);
    expect(await database.postFlag.count({ where })).toBe(0);
    expect(await database.upload.findUnique({ where: { id: post.uploadId } })).toMatchObject({ postId: null });
    const tag = await database.tag.findUniqueOrThrow({ where: { name: "the_last_of_its_tag" } });
    const [fan, uploader] = await Promise.all(
      [member.id, post.uploader.id].map((id) => database.user.findUniqueOrThrow({ where: { id } })),
    );
    expect([tag.postCount, fan?.favoriteCount, uploader?.postUploadCount]).toEqual([0, 0, 0]);
    expect(await database.modAction.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      category: "post_expunge",
      description: `expunged post #${post.id} (md5 ${post.md5})`,
      creatorId: admin.id,
      subjectId: post.id,
    });
  });

  it("logs a banned post without the md5 of its file, which stays hidden", async () => {
    const post = await test.make.post();
    await test.board.database.post.update({ where: { id: post.id }, data: { isBanned: true } });
    expect(await expunge(post.id)).toBe(post.id);
    const { json } = await test.anonymous.get("/mod_actions.json", { limit: 1 });
    expect(json[0].description).toBe(`expunged post #${post.id}`);
  });

  it("removes files by a job that could not be removed, or whose process has ended meanwhile", async () => {
    const post = await test.make.post();
    const [left = ""] = filesOf(post);
    const file = path.join(test.folder, "data/media", left);
    rmSync(file);
    mkdirSync(file); // which can't be removed as a file
    await test.board.database.execute(sql`DELETE FROM graphile_worker._private_jobs`);
    expect(await expunge(post.id)).toBe(post.id);
    expect(filesOf(post)).toEqual([left]);
    rmdirSync(file);
    writeFileSync(file, "a picture");
    const jobs = await test.board.database.query<{ identifier: string; payload: object }>(sql`
      SELECT t.identifier, j.payload FROM graphile_worker._private_jobs j
        JOIN graphile_worker._private_tasks t ON t.id = j.task_id`);
    expect(jobs).toMatchObject([{ identifier: "remove_files", payload: { md5: post.md5 } }]);
    const info = { attempts: 1, maxAttempts: 25, stopping: new AbortController().signal };
    await tasks(test.board).remove_files?.(jobs[0]?.payload, info);
    expect(filesOf(post)).toEqual([]);
  });

  it("lets the same file be uploaded again", async () => {
    const [uploader, file] = [await test.make.user("Contributor"), await test.make.picture()];
    const first = await test.make.upload(uploader, { file });
    expect((await test.make.upload(uploader, { file })).status).toBe(423);
    await expunge(first.json.post_id as number);
    expect((await test.make.upload(uploader, { file })).status).toBe(200);
    expect((await test.board.storageAudit.run(false)).ok).toBe(true);
  });

  it("moves the favorites to the parent, which has no child left", async () => {
    const parent = await test.make.post();
    const post = await child(parent);
    await test.board.database.favorite.create({ data: { postId: post.id, userId: admin.id } });
    await expunge(post.id);
    expect(await row(parent.id)).toMatchObject({ favCount: 1, hasChildren: false, hasActiveChildren: false });
  });

  it("lets users write who have it as a favorite, and others edit its tags, while it is removed from lists", async () => {
    const [post, other] = [await test.make.post("a_common_tag"), await test.make.post()];
    const fan = await test.make.user();
    await fan.client.post("/favorites.json", { post_id: post.id });
    await fan.client.post("/favorite_groups.json", { favorite_group: { name: "mine", post_ids: [post.id] } });
    const held = await holdTable(test.board.databaseUrl, "favorite_group_versions");
    const expunged = expunge(post.id);
    await expect.poll(() => held.waiting()).toBe(1);
    const [kept, edited] = await Promise.all([
      fan.client.post("/favorites.json", { post_id: other.id }),
      (await test.make.user()).client.put(`/posts/${other.id}.json`, { post: { tag_string: "a_common_tag" } }),
    ]);
    await held[Symbol.asyncDispose]();
    expect([kept.status, edited.status, await expunged]).toEqual([200, 200, post.id]);
    expect((await test.anonymous.get(`/users/${fan.id}.json`)).json.favorite_count).toBe(1);
    const tag = await test.board.database.tag.findUnique({ where: { name: "a_common_tag" } });
    expect(tag?.postCount).toBe(1);
  });

  it("leaves an only child without a parent", async () => {
    const parent = await test.make.post();
    const only = await child(parent);
    await expunge(parent.id);
    expect(await row(only.id)).toMatchObject({ parentId: null, hasChildren: false });
  });

  it("makes the oldest of several children the parent of the others, with versions", async () => {
    const parent = await test.make.post();
    const [first, second, third] = [await child(parent), await child(parent), await child(parent)];
    await expunge(parent.id);
    expect(await row(first.id)).toMatchObject({ parentId: null, hasChildren: true, hasActiveChildren: true });
    expect([await row(second.id), await row(third.id)]).toMatchObject([{ parentId: first.id }, { parentId: first.id }]);
    const [latest] = (await test.anonymous.get("/post_versions.json", { search: { post_id: third.id } })).json;
    expect(latest).toMatchObject({ version: 2, updater_id: admin.id, parent_id: first.id, parent_changed: true });
  });

  it("removes it from pools, each with a version", async () => {
    const [post, other] = [await test.make.post(), await test.make.post()];
    const pool = await test.board.database.pool.create({
      data: { name: "both", creatorId: admin.id, postIds: [post.id, other.id, post.id], postCount: 3 },
    });
    await expunge(post.id);
    expect(await test.board.database.pool.findUnique({ where: { id: pool.id } })).toMatchObject({
      postIds: [other.id],
      postCount: 1,
    });
    expect(await test.board.database.poolVersion.findMany({ where: { poolId: pool.id } })).toMatchObject([
      { version: 1, postIds: [other.id], removedPostIds: [post.id, post.id], updaterId: admin.id },
    ]);
  });

  it("422 for a status-locked post, 403 below Admin, 404 for an unknown one; nothing changes", async () => {
    const post = await test.make.post();
    const moderator = await test.make.user("Moderator");
    expect(await expunge(post.id, moderator)).toBe(403);
    await test.board.database.post.update({ where: { id: post.id }, data: { isStatusLocked: true } });
    expect([await expunge(post.id), await expunge(999_999)]).toEqual([422, 404]);
    expect([(await row(post.id)) !== null, filesOf(post).length > 0]).toEqual([true, true]);
  });
});
