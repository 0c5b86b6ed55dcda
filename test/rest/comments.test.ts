import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
let other: TestUser;
let janitor: TestUser;
let contributor: TestUser; // the level just below Janitor
let post: TestPost;
beforeAll(async () => {
  test = await startBoard();
  [member, other] = [await test.make.user(), await test.make.user()];
  janitor = await test.make.user("Janitor");
  contributor = await test.make.user("Contributor");
  post = await test.make.post("sea ship");
});
afterAll(() => test[Symbol.asyncDispose]());

const comment = (attributes: Params = {}): Params => ({
  comment: { post_id: post.id, body: "What a ship!", ...attributes },
});
const create = async (attributes: Params = {}, by = member): Promise<{ id: number; created_at: string }> =>
  (await by.client.post("/comments.json", comment(attributes))).json as { id: number; created_at: string };
const rowOf = (id: number) => test.board.database.comment.findUniqueOrThrow({ where: { id } });
const actions = (id: number) =>
  test.board.database.modAction.findMany({
    where: { subjectType: "Comment", subjectId: id },
    orderBy: { id: "asc" },
    select: { creatorId: true, category: true, description: true },
  });

describe("POST /comments.json", () => {
  it("creates a comment", async () => {
    const { status, json, headers } = await member.client.post("/comments.json", comment());
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      reason: "",
      id: expect.any(Number),
      post_id: post.id,
      creator_id: member.id,
      creator_name: member.name,
      creator: { id: member.id, name: member.name },
      updater_id: null,
      updater_name: null,
      body: "What a ship!",
      score: 0,
      do_not_bump_post: false,
      is_deleted: false,
      is_sticky: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      updated_at: json.created_at,
    });
    expect(headers.get("location")).toBe(`/comments/${json.id}`);
    expect(await rowOf(json.id)).toMatchObject({ body: "What a ship!", creatorId: member.id, creatorIp: "127.0.0.1" });
  });

  it("returns the envelope in XML, and accepts JSON attributes without brackets", async () => {
    const { text } = await member.client.post("/comments.xml", comment());
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
    const flat = await member.client.json("POST", "/comments.json", { post_id: post.id, body: "flat" });
    expect([flat.status, flat.json.body]).toEqual([200, "flat"]);
  });

  it.each([
    ["that is too long", { body: "a".repeat(15_001) }, "body is too long (at most 15000 characters)", "body"],
    ["with a character that can't be stored", { body: "a\0b" }, "body is invalid", "body"],
    ["on a post that isn't there", { post_id: 99_999 }, "post does not exist", "post"],
  ])("420 for a comment %s", async (_, attributes, reason, field) => {
    const before = await test.board.database.comment.count();
    const { status, json } = await member.client.post("/comments.json", comment(attributes));
    expect([status, json.reason, Object.keys(json.errors)]).toEqual([420, reason, [field]]);
    expect(await test.board.database.comment.count()).toBe(before);
  });

  it.each([
    ["without a post", { post_id: undefined }, "comment[post_id] is required"],
    ["without a body", { body: undefined }, "comment[body] is required"],
    ["with a blank body", { body: " \n " }, "comment[body] is required"],
    ["with a post that is no number", { post_id: "first" }, "comment[post_id] is invalid"],
    ["with a flag that is none", { do_not_bump_post: "maybe" }, "comment[do_not_bump_post] is invalid"],
  ])("424 %s", async (_, attributes, reason) => {
    const { status, json } = await member.client.post("/comments.json", comment(attributes));
    expect([status, json.reason]).toEqual([424, reason]);
  });

  it("403 for visitors and banned users, and for a sticky comment below Janitor", async () => {
    const before = await test.board.database.comment.count();
    const banned = await test.make.user();
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    const answers = [
      await test.anonymous.post("/comments.json", comment()),
      await banned.client.post("/comments.json", comment()),
      await contributor.client.post("/comments.json", comment({ is_sticky: 1 })),
    ];
    expect(answers.map(({ status, json }) => [status, json.reason])).toEqual([
      [403, "login required"],
      [403, "your account is banned"],
      [403, "access denied"],
    ]);
    expect(await test.board.database.comment.count()).toBe(before);
    expect((await janitor.client.post("/comments.json", comment({ is_sticky: 1 }))).json.is_sticky).toBe(true);
  });
});

describe("PUT /comments/{id}.json", () => {
  it("changes the text of one's own comment, without a mod action", async () => {
    const { id, created_at: createdAt } = await create();
    const { status, json } = await member.client.put(`/comments/${id}.json`, { comment: { body: "Two ships!" } });
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, body: "Two ships!", updater_id: member.id, updater_name: member.name });
    expect(json.created_at).toBe(createdAt);
    expect(json.updated_at > createdAt).toBe(true);
    expect(await actions(id)).toEqual([]);
  });

  it("changes whether it bumps; no change changes nothing", async () => {
    const { id } = await create();
    const quiet = await member.client.put(`/comments/${id}.json`, {
      comment: { body: "What a ship!", do_not_bump_post: "1" },
    });
    expect(quiet.json.do_not_bump_post).toBe(true);
    const same = await janitor.client.put(`/comments/${id}.json`, { comment: { body: "What a ship!" } });
    expect(same.json).toMatchObject({
      do_not_bump_post: true,
      updater_id: member.id,
      updated_at: quiet.json.updated_at,
    });
    expect(await actions(id)).toEqual([]);
  });

  it("creates a mod action for another user's comment", async () => {
    const { id } = await create();
    const { json } = await janitor.client.put(`/comments/${id}.json`, { comment: { body: "edited", is_sticky: true } });
    expect(json).toMatchObject({ body: "edited", is_sticky: true, creator_id: member.id, updater_id: janitor.id });
    expect(await actions(id)).toEqual([
      { creatorId: janitor.id, category: "comment_update", description: `updated comment #${id}` },
    ]);
  });

  it.each([
    ["403 for another's comment below Janitor", () => contributor, { body: "mine now" }, 403, "access denied"],
    ["403 for a sticky comment below Janitor", () => member, { body: "x", is_sticky: true }, 403, "access denied"],
    ["424 for a blank text", () => member, { body: " " }, 424, "comment[body] is required"],
    ["424 without a text", () => member, {}, 424, "comment[body] is required"],
  ])("%s", async (_, by, attributes: Params, status, reason) => {
    const { id } = await create();
    const before = await rowOf(id);
    const params = { comment: { do_not_bump_post: "1", ...attributes } };
    const answer = await by().client.put(`/comments/${id}.json`, params);
    expect([answer.status, answer.json.reason]).toEqual([status, reason]);
    expect(await rowOf(id)).toEqual(before);
    expect(await actions(id)).toEqual([]);
  });

  it("403 for one's own deleted comment, 404 for an unknown one", async () => {
    const { id } = await create();
    await member.client.delete(`/comments/${id}.json`);
    const deleted = await member.client.put(`/comments/${id}.json`, { comment: { body: "back" } });
    const missing = await member.client.put("/comments/99999.json", { comment: { body: "x" } });
    expect([deleted.status, missing.status]).toEqual([403, 404]);
  });
});

describe("DELETE /comments/{id}.json and POST /comments/{id}/undelete.json", () => {
  it("deletes softly, and undeletes", async () => {
    const { id } = await create();
    const gone = await member.client.delete(`/comments/${id}.json`);
    expect([gone.status, gone.json.success, gone.json.is_deleted]).toEqual([200, true, true]);
    expect((await rowOf(id)).body).toBe("What a ship!");
    const again = await member.client.delete(`/comments/${id}.json`);
    expect([again.status, again.json.updated_at]).toEqual([200, gone.json.updated_at]);
    const back = await member.client.post(`/comments/${id}/undelete.json`);
    expect(back.json).toMatchObject({ success: true, is_deleted: false, body: "What a ship!", updater_id: member.id });
    expect(back.headers.get("location")).toBeNull();
    expect(await actions(id)).toEqual([]);
  });

  it("is allowed to Janitors for all comments, which the creator can't undo", async () => {
    const { id } = await create();
    expect((await janitor.client.delete(`/comments/${id}.json`)).status).toBe(200);
    const refused = await member.client.post(`/comments/${id}/undelete.json`);
    expect([refused.status, refused.json.reason, (await rowOf(id)).isDeleted]).toEqual([403, "access denied", true]);
    expect((await janitor.client.post(`/comments/${id}/undelete.json`)).status).toBe(200);
    expect((await actions(id)).map(({ category }) => category)).toEqual(["comment_delete", "comment_undelete"]);
  });

  it("403 for others and visitors, 404 for an unknown comment", async () => {
    const { id } = await create();
    const answers = [
      await contributor.client.delete(`/comments/${id}.json`),
      await test.anonymous.delete(`/comments/${id}.json`),
      await contributor.client.post(`/comments/${id}/undelete.json`),
      await member.client.delete("/comments/99999.json"),
      await member.client.post("/comments/99999/undelete.json"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404]);
    expect((await rowOf(id)).isDeleted).toBe(false);
  });
});

describe("GET /comments/{id}.json", () => {
  it("returns it, in XML too", async () => {
    const { id } = await create();
    const { status, json } = await test.anonymous.get(`/comments/${id}.json`);
    expect([status, json.id, json.body, json.creator]).toEqual([
      200,
      id,
      "What a ship!",
      { id: member.id, name: member.name },
    ]);
    const { text } = await test.anonymous.get(`/comments/${id}.xml`, { only: "id,creator,updater_id,body" });
    expect(text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><comment><id type="integer">${id}</id>` +
        `<creator><id type="integer">${member.id}</id><name>${member.name}</name></creator>` +
        `<updater-id type="integer" nil="true"/><body>What a ship!</body></comment>`,
    );
    expect((await test.anonymous.get("/comments/99999.json")).status).toBe(404);
  });

  it("shows the text of a deleted one only to its creator and staff", async () => {
    const { id } = await create();
    await member.client.delete(`/comments/${id}.json`);
    const bodies = [];
    for (const { client } of [{ client: test.anonymous }, other, contributor, member, janitor]) {
      bodies.push((await client.get(`/comments/${id}.json`)).json.body as string);
    }
    expect(bodies).toEqual(["", "", "", "What a ship!", "What a ship!"]);
  });
});
