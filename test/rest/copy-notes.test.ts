import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { holdRow } from "../support/held-table.js";
import { jpeg } from "../support/pictures.js";
import { serving, type Site, startSite } from "../support/site.js";

let site: Site;
let test: TestBoard;
let member: TestUser;
let small: TestPost; // 64 by 48 pixels, with two notes and a deleted one
beforeAll(async () => {
  site = await startSite();
  test = await startBoard({ SOURCE_ALLOW_HOSTS: site.host });
  member = await test.make.user();
  small = await test.make.post();
  await note({ x: 1, y: 2, width: 63, height: 46, body: "the whole" });
  await note({ x: 33, y: 5, width: 3, height: 7, body: "a part" });
  const { json } = await note({ x: 0, y: 0, width: 9, height: 9, body: "gone" });
  await member.client.delete(`/notes/${json.id}.json`);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const note = (attributes: Params) => member.client.post("/notes.json", { note: { post_id: small.id, ...attributes } });
const picture = async (width: number, height: number): Promise<TestPost> =>
  test.make.post("x", { file: await test.make.picture(width, height) });
const copy = (from: TestPost, to: number, by = member) =>
  by.client.put(`/posts/${from.id}/copy_notes.json`, { other_post_id: to });
const notesOf = ({ id }: TestPost) =>
  test.board.database.note.findMany({ where: { postId: id }, orderBy: { id: "asc" } });
const parts = (notes: { x: number; y: number; width: number; height: number; body: string }[]) =>
  notes.map(({ x, y, width, height, body }) => [x, y, width, height, body]);

describe("PUT /posts/{id}/copy_notes.json", () => {
  it("scales the active notes to the other picture, each with its first version", async () => {
    const large = await picture(128, 72);
    const copier = await test.make.user();
    const { status, json } = await copy(small, large.id, copier);
    expect([status, json.success, json.reason, json.id]).toEqual([200, true, "", large.id]);
    const notes = await notesOf(large);
    expect(parts(notes)).toEqual([
      [2, 3, 126, 69, "the whole"],
      [66, 7, 6, 10, "a part"],
    ]);
    expect(notes).toMatchObject(notes.map(() => ({ isActive: true, version: 1, creatorId: copier.id })));
    const versions = await test.board.database.noteVersion.findMany({ where: { postId: large.id } });
    expect(parts(versions.sort((a, b) => a.noteId - b.noteId))).toEqual(parts(notes));
    expect(versions).toMatchObject(versions.map(() => ({ version: 1, updaterId: copier.id })));
    expect(json.last_noted_at).toBe(`${notes[1]?.updatedAt.toISOString().slice(0, -1)}+00:00`);
    const user = await test.board.database.user.findUniqueOrThrow({ where: { id: copier.id } });
    expect(user.noteUpdateCount).toBe(2);
  });

  it("stays within the smaller picture", async () => {
    const tiny = await picture(23, 31);
    expect((await copy(small, tiny.id)).status).toBe(200);
    for (const { x, y, width, height } of await notesOf(tiny)) {
      expect([x + width <= 23, y + height <= 31]).toEqual([true, true]);
    }
  });

  it("leaves out notes beyond the edge of their own picture, as of a post whose file was replaced", async () => {
    const [from, other] = [await test.make.post(), await picture(128, 96)];
    for (const [x = 0, y = 0] of [
      [60, 44],
      [61, 0],
      [0, 45],
    ]) {
      const within = { post_id: from.id, x: 0, y: 0, width: 4, height: 4, body: "x" };
      const { json } = await member.client.post("/notes.json", { note: within });
      await test.board.database.note.update({ where: { id: json.id }, data: { x, y } });
    }
    expect((await copy(from, other.id)).status).toBe(200);
    expect(parts(await notesOf(other))).toEqual([[120, 88, 8, 8, "x"]]);
  });

  it("scales them to a picture that replaces the other post's meanwhile", async () => {
    const other = await test.make.post();
    site.pages.set("/larger.jpg", serving(await jpeg({ width: 128, height: 96, seed: 1 })));
    const held = await holdRow(test.board.databaseUrl, "posts", other.id);
    const edit = other.uploader.client.put(`/posts/${other.id}.json`, { post: { source: `${site.url}/larger.jpg` } });
    await expect.poll(() => held.waiting()).toBe(1);
    const copied = copy(small, other.id);
    await expect.poll(() => held.waiting()).toBe(2);
    await held[Symbol.asyncDispose]();
    expect((await edit).json).toMatchObject({ image_width: 128 });
    expect((await copied).status).toBe(200);
    expect(parts(await notesOf(other))[0]).toEqual([2, 4, 126, 92, "the whole"]);
  });

  it("returns the envelope in XML", async () => {
    const params = { other_post_id: (await test.make.post()).id };
    const { text } = await member.client.put(`/posts/${small.id}/copy_notes.xml`, params);
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it("420 onto the same post, or from one without notes", async () => {
    const bare = await test.make.post();
    const [same, none] = [await copy(small, small.id), await copy(bare, small.id)];
    expect([same.status, same.json.reason]).toEqual([420, "other_post is the same post"]);
    expect([none.status, none.json.reason]).toEqual([420, "post has no notes"]);
    expect(await notesOf(small)).toHaveLength(3);
  });

  it("420 onto a post that would have more than 500 notes, as by copies back and forth", async () => {
    const [one, other] = [await test.make.post(), await test.make.post()];
    const builder = await test.make.user("Builder");
    const { json } = await member.client.post("/notes.json", {
      note: { post_id: one.id, x: 0, y: 0, width: 9, height: 9, body: "x" },
    });
    await test.board.database.execute(sql`
      INSERT INTO notes (post_id, creator_id, x, y, width, height, body)
      SELECT post_id, creator_id, x, y, width, height, body FROM notes, generate_series(1, 249) WHERE id = ${json.id}`);
    expect((await copy(one, other.id, builder)).status).toBe(200);
    expect((await copy(other, one.id, builder)).status).toBe(200);
    const refused = await copy(one, other.id, builder);
    expect([refused.status, refused.json.reason]).toEqual([420, "other_post has more than 500 notes"]);
    expect([(await notesOf(one)).length, (await notesOf(other)).length]).toEqual([500, 250]);
  });

  it("422 onto a note-locked post, though notes may be copied from one", async () => {
    const locked = await test.make.post();
    await test.board.database.post.update({ where: { id: locked.id }, data: { isNoteLocked: true } });
    const { status, json } = await copy(small, locked.id);
    expect([status, json.reason, await notesOf(locked)]).toEqual([422, "post is note-locked", []]);
    await test.board.database.post.update({ where: { id: small.id }, data: { isNoteLocked: true } });
    expect((await copy(small, (await test.make.post()).id)).status).toBe(200);
    await test.board.database.post.update({ where: { id: small.id }, data: { isNoteLocked: false } });
  });

  it("404 if either post doesn't exist, 424 without the other post, 403 for visitors and onto a hidden post", async () => {
    const banned = await test.make.post();
    await test.board.database.post.update({ where: { id: banned.id }, data: { isBanned: true } });
    const answers = [
      await copy(small, 999_999),
      await copy({ ...small, id: 999_999 }, small.id),
      await member.client.put(`/posts/${small.id}/copy_notes.json`),
      await test.anonymous.put(`/posts/${small.id}/copy_notes.json`, { other_post_id: banned.id }),
      await copy(small, banned.id),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 424, 403, 403]);
    expect(answers[2]?.json.reason).toBe("other_post_id is required");
  });

  it("is the same in GraphQL, with the new notes", async () => {
    const target = await test.make.post();
    const { json } = await member.client.graphql(
      "mutation($input: CopyNotesInput!) { copyNotes(input: $input) { post { id } notes { body postId } } }",
      { input: { id: small.id, otherPostId: target.id } },
    );
    expect(json.data.copyNotes).toEqual({
      post: { id: target.id },
      notes: [
        { body: "the whole", postId: target.id },
        { body: "a part", postId: target.id },
      ],
    });
  });
});
