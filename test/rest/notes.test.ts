import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
let post: TestPost; // 64 by 48 pixels
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
  post = await test.make.post("sea ship");
});
afterAll(() => test[Symbol.asyncDispose]());

const note = (attributes: Params = {}): Params => ({
  note: { post_id: post.id, x: 1, y: 2, width: 10, height: 20, body: "a sail", ...attributes },
});
const create = async (attributes: Params = {}): Promise<{ id: number; version: number }> =>
  (await member.client.post("/notes.json", note(attributes))).json as { id: number; version: number };
const versionsOf = (id: number) =>
  test.board.database.noteVersion.findMany({ where: { noteId: id }, orderBy: { id: "asc" } });
const notedAt = async () => (await test.board.database.post.findUniqueOrThrow({ where: { id: post.id } })).lastNotedAt;

describe("POST /notes.json", () => {
  it("accepts a note that covers the whole picture", async () => {
    const { id: post_id } = await test.make.post();
    const { json } = await test.anonymous.get(`/posts/${post_id}.json`);
    const whole = { x: 0, y: 0, width: json.image_width as number, height: json.image_height as number };
    expect((await member.client.post("/notes.json", note({ post_id, ...whole }))).json).toMatchObject(whole);
  });

  it("creates a note with its first version", async () => {
    const { status, json, headers } = await member.client.post("/notes.json", note());
    expect(status).toBe(200);
    expect(json).toMatchObject({
      success: true,
      reason: "",
      post_id: post.id,
      creator_id: member.id,
      creator_name: member.name,
      x: 1,
      y: 2,
      width: 10,
      height: 20,
      body: "a sail",
      is_active: true,
      version: 1,
    });
    expect(headers.get("location")).toBe(`/notes/${json.id}`);
    expect(await versionsOf(json.id)).toMatchObject([{ version: 1, x: 1, body: "a sail", updaterId: member.id }]);
    expect((await notedAt())?.toISOString()).toBe(new Date(json.updated_at).toISOString());
  });

  it("returns the envelope in XML", async () => {
    const { text } = await member.client.post("/notes.xml", note());
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it.each([
    ["outside on the right", { x: 60 }, "note must lie within the picture"],
    ["outside below", { y: 40 }, "note must lie within the picture"],
    ["left of the picture", { x: -1 }, "x must be between 0 and 64"],
    ["of a width below zero", { width: -1 }, "width must be between 0 and 64"],
    ["of a height below zero", { height: -1 }, "height must be between 0 and 48"],
    ["of another post that isn't there", { post_id: 99999 }, "post does not exist"],
    ["too long", { body: "a".repeat(5001) }, "body is too long (at most 5000 characters)"],
  ])("420 for a note %s", async (_, attributes, reason) => {
    const before = await test.board.database.note.count();
    const { status, json } = await member.client.post("/notes.json", note(attributes));
    expect([status, json.reason]).toEqual([420, reason]);
    expect(await test.board.database.note.count()).toBe(before);
  });

  it("424 without a required parameter, or with an invalid number", async () => {
    const missing = await member.client.post("/notes.json", note({ width: undefined }));
    const bad = await member.client.post("/notes.json", note({ x: "left" }));
    expect([missing.status, missing.json.reason]).toEqual([424, "note[width] is required"]);
    expect([bad.status, bad.json.reason]).toEqual([424, "note[x] is invalid"]);
  });

  it("403 for visitors", async () => {
    expect((await test.anonymous.post("/notes.json", note())).status).toBe(403);
  });
});

describe("a note-locked post", () => {
  it("422 for creating, updating, deleting and reverting", async () => {
    const { id } = await create();
    const [version] = await versionsOf(id);
    await test.board.database.post.update({ where: { id: post.id }, data: { isNoteLocked: true } });
    const answers = [
      await member.client.post("/notes.json", note()),
      await member.client.put(`/notes/${id}.json`, { note: { body: "changed" } }),
      await member.client.delete(`/notes/${id}.json`),
      await member.client.put(`/notes/${id}/revert.json`, { version_id: version?.id }),
    ];
    await test.board.database.post.update({ where: { id: post.id }, data: { isNoteLocked: false } });
    expect(answers.map(({ status, json }) => [status, json.reason])).toEqual(
      answers.map(() => [422, "post is note-locked"]),
    );
    expect(await versionsOf(id)).toHaveLength(1);
  });
});

describe("PUT /notes/{id}.json", () => {
  it("changes sent fields, with a version; no change creates no version", async () => {
    const { id } = await create();
    const changed = await member.client.put(`/notes/${id}.json`, { note: { body: "a mast", x: 3 } });
    expect(changed.json).toMatchObject({ body: "a mast", x: 3, y: 2, version: 2 });
    const same = await member.client.put(`/notes/${id}.json`, { note: { body: "a mast" } });
    expect(same.json.version).toBe(2);
    expect((await versionsOf(id)).map((each) => each.version)).toEqual([1, 2]);
  });

  it("replaces a blank body by (empty), as a new note does", async () => {
    const { id } = await create();
    for (const body of [" \n", ""]) {
      const { json } = await member.client.put(`/notes/${id}.json`, { note: { body } });
      expect(json).toMatchObject({ body: "(empty)", version: 2 });
    }
  });

  it("404 for an unknown note", async () => {
    expect((await member.client.put("/notes/99999.json", { note: { body: "x" } })).status).toBe(404);
  });
});

describe("DELETE /notes/{id}.json and PUT /notes/{id}/revert.json", () => {
  it("deletes softly and restores by a revert, each with a version", async () => {
    const only = await test.make.post();
    const { json: made } = await member.client.post("/notes.json", note({ post_id: only.id }));
    const [first] = await versionsOf(made.id);
    expect((await member.client.delete(`/notes/${made.id}.json`)).json.is_active).toBe(false);
    const gone = await test.board.database.post.findUniqueOrThrow({ where: { id: only.id } });
    expect(gone.lastNotedAt).toBeNull();
    const back = await member.client.put(`/notes/${made.id}/revert.json`, { version_id: first?.id });
    expect(back.json).toMatchObject({ is_active: true, body: "a sail", version: 3 });
  });

  it("deletes, edits and restores a note outside of a smaller picture that replaced its own, but does not move it there", async () => {
    const { id: post_id } = await test.make.post();
    const { json: made } = await member.client.post("/notes.json", note({ post_id }));
    const ofPost = { post: { id: post_id } };
    await test.board.database.mediaFile.updateMany({ where: ofPost, data: { imageWidth: 5, imageHeight: 5 } });
    const edit = (attributes: Params) => member.client.put(`/notes/${made.id}.json`, { note: attributes });
    expect((await edit({ body: "a mast" })).json).toMatchObject({ body: "a mast", version: 2 });
    const refused = await edit({ x: 3 });
    expect([refused.status, refused.json.reason]).toEqual([420, "note must lie within the picture"]);
    expect((await member.client.delete(`/notes/${made.id}.json`)).json).toMatchObject({ is_active: false, version: 3 });
    const [first] = await versionsOf(made.id);
    const back = await member.client.put(`/notes/${made.id}/revert.json`, { version_id: first?.id });
    expect(back.json).toMatchObject({ is_active: true, body: "a sail", version: 4 });
  });

  it("404 for a version of another note, 424 without a version", async () => {
    const [one, other] = [await create(), await create()];
    const [foreign] = await versionsOf(other.id);
    const wrong = await member.client.put(`/notes/${one.id}/revert.json`, { version_id: foreign?.id });
    const none = await member.client.put(`/notes/${one.id}/revert.json`);
    expect([wrong.status, none.status, none.json.reason]).toEqual([404, 424, "version_id is required"]);
  });
});

describe("GET /notes.json", () => {
  it("finds by words of the text, by the post and its tags, by creator and state", async () => {
    const other = await test.make.post("forest");
    const creator = await test.make.user();
    const { json: made } = await creator.client.post(
      "/notes.json",
      note({ post_id: other.id, body: "Sleeping foxes" }),
    );
    const ids = async (search: Params) =>
      ((await test.anonymous.get("/notes.json", { search })).json as { id: number }[]).map((each) => each.id);
    expect(await ids({ body_matches: "fox sleeps" })).toEqual([made.id]);
    expect(await ids({ body_matches: "*ing fox*" })).toEqual([made.id]);
    expect(await ids({ post_id: other.id })).toEqual([made.id]);
    expect(await ids({ post_tags_match: "forest -sea" })).toEqual([made.id]);
    expect(await ids({ creator_name: creator.name.toUpperCase() })).toEqual([made.id]);
    expect(await ids({ creator_id: creator.id, is_active: "false" })).toEqual([]);
  });
});

describe("GET /note_versions.json", () => {
  it("finds by note, post and updater, newest first", async () => {
    const { id } = await create();
    await member.client.put(`/notes/${id}.json`, { note: { body: "again" } });
    const { json } = await test.anonymous.get("/note_versions.json", {
      search: { note_id: id, updater_id: member.id },
    });
    expect((json as { version: number; body: string }[]).map((each) => [each.version, each.body])).toEqual([
      [2, "again"],
      [1, "a sail"],
    ]);
  });
});
