import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client, Params } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";

let test: TestBoard;
let writer: TestUser;
let janitor: TestUser;
let sea: TestPost;
let forest: TestPost;
let quiet: TestPost; // with one comment, which does not bump it
/** numbers of comments by what they are */
const ids: Record<string, number> = {};
beforeAll(async () => {
  test = await startBoard();
  writer = await test.make.user("Member", "Wordy_Writer");
  janitor = await test.make.user("Janitor");
  sea = await test.make.post("sea ship");
  forest = await test.make.post("forest");
  quiet = await test.make.post("quiet");
  ids.fox = await create(forest, writer, { body: "Sleeping foxes" });
  ids.mast = await create(sea, writer, { body: "100% of the mast" });
  ids.secret = await create(sea, writer, { body: "Unspeakable treasure" });
  ids.sticky = await create(sea, janitor, { body: "Be nice", is_sticky: 1 });
  ids.whisper = await create(quiet, janitor, { body: "psst", do_not_bump_post: 1 });
  await writer.client.delete(`/comments/${ids.secret}.json`);
  await janitor.client.post(`/comments/${ids.mast}/votes.json`, { score: "up" });
  await janitor.client.post(`/comments/${ids.fox}/votes.json`, { score: "down" });
});
afterAll(() => test[Symbol.asyncDispose]());

async function create(post: TestPost, by: TestUser, attributes: Params): Promise<number> {
  const { json } = await by.client.post("/comments.json", { comment: { post_id: post.id, ...attributes } });
  return json.id as number;
}

const nameOf = (id: number): string => Object.entries(ids).find(([, each]) => each === id)?.[0] ?? String(id);
async function found(params: Params, client: Client = test.anonymous): Promise<string[]> {
  const { status, json } = await client.get("/comments.json", params);
  expect(status).toBe(200);
  return (json as { id: number }[]).map(({ id }) => nameOf(id));
}
const search = (keys: Params, client?: Client) => found({ search: keys }, client);

describe("GET /comments.json", () => {
  it("lists all comments, deleted ones too, newest first, as with group_by=comment", async () => {
    const all = ["whisper", "sticky", "secret", "mast", "fox"];
    expect(await found({})).toEqual(all);
    expect(await found({ group_by: "comment" })).toEqual(all);
    expect(await found({ group_by: "" })).toEqual(all);
  });

  it.each([
    ["words of the text, in any form", { body_matches: "fox sleeps" }, ["fox"]],
    ["a pattern of the text", { body_matches: "*ING fox*" }, ["fox"]],
    ["a pattern with a letter that LIKE knows", { body_matches: "100% of*" }, ["mast"]],
    ["a pattern that isn't all of the text", { body_matches: "ing fox*" }, []],
    ["tags of the post", { post_tags_match: "sea -forest" }, ["sticky", "secret", "mast"]],
    ["a meta-tag, which is a tag here", { post_tags_match: "rating:s" }, []],
    ["the creator's name", { creator_name: "wordy writer" }, ["secret", "mast", "fox"]],
    ["a name that nobody has", { creator_name: "nobody_at_all" }, []],
    ["what is deleted", { is_deleted: "true" }, ["secret"]],
    ["what is sticky", { is_sticky: "yes" }, ["sticky"]],
    ["what does not bump", { do_not_bump_post: "1" }, ["whisper"]],
    ["garbage for an id", { id: "none" }, []],
  ])("finds by %s", async (_, keys, expected) => {
    expect(await search(keys)).toEqual(expected);
  });

  it("finds by lists of ids, posts and creators", async () => {
    expect(await search({ id: `${ids.fox},${ids.sticky}` })).toEqual(["sticky", "fox"]);
    expect(await search({ post_id: `${forest.id},${quiet.id}` })).toEqual(["whisper", "fox"]);
    expect(await search({ creator_id: janitor.id, is_deleted: "no" })).toEqual(["whisper", "sticky"]);
  });

  it.each([
    ["id_asc", ["fox", "mast", "secret", "sticky", "whisper"]],
    ["post_id", ["whisper", "fox", "sticky", "secret", "mast"]],
    ["post_id_desc", ["whisper", "fox", "sticky", "secret", "mast"]],
    ["post_id_asc", ["mast", "secret", "sticky", "fox", "whisper"]],
    ["score", ["mast", "whisper", "sticky", "secret", "fox"]],
    ["score_asc", ["fox", "secret", "sticky", "whisper", "mast"]],
    ["updated_at", ["secret", "whisper", "sticky", "mast", "fox"]],
    ["updated_at_asc", ["fox", "mast", "sticky", "whisper", "secret"]],
  ])("orders by %s", async (order, expected) => {
    expect(await search({ order })).toEqual(expected);
    expect(await search({ sort: order })).toEqual(expected);
  });

  it("has pages", async () => {
    expect(await found({ limit: 2, page: 2 })).toEqual(["secret", "mast"]);
    expect(await found({ limit: 2, page: `b${ids.sticky}` })).toEqual(["secret", "mast"]);
    expect(await found({ limit: 2, page: `a${ids.fox}` })).toEqual(["secret", "mast"]);
    expect((await test.anonymous.get("/comments.json", { page: 1001 })).status).toBe(424);
  });

  it("finds words of deleted comments only for viewers who may read them", async () => {
    for (const keys of [{ body_matches: "treasure" }, { body_matches: "unspeak*" }]) {
      expect(await search(keys)).toEqual([]);
      expect(await search(keys, writer.client)).toEqual(["secret"]);
      expect(await search(keys, janitor.client)).toEqual(["secret"]);
    }
    const { json } = await test.anonymous.get("/comments.json", { search: { id: ids.secret } });
    expect([json[0].is_deleted, json[0].body]).toEqual([true, ""]);
  });

  it("lists in XML", async () => {
    const { text } = await test.anonymous.get("/comments.xml", { search: { id: ids.fox }, only: "id,is_deleted" });
    expect(text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><comments type="array"><comment><id type="integer">${ids.fox}</id>` +
        `<is-deleted type="boolean">false</is-deleted></comment></comments>`,
    );
  });

  it("424 for an unknown order or grouping", async () => {
    const order = await test.anonymous.get("/comments.json", { search: { order: "loudest" } });
    const group = await test.anonymous.get("/comments.json", { group_by: "user" });
    const nested = await test.anonymous.get("/comments.json", { group_by: { toString: "post" } });
    expect([nested.status, nested.json.reason]).toEqual([424, "group_by must be one of comment, post"]);
    expect([order.status, order.json.reason.startsWith("search[order] must be one of id, ")]).toEqual([424, true]);
    expect([group.status, group.json.reason]).toEqual([424, "group_by must be one of comment, post"]);
  });
});

describe("GET /comments.json?group_by=post", () => {
  const posts = async (params: Params = {}) =>
    ((await test.anonymous.get("/comments.json", { group_by: "post", ...params })).json as { id: number }[]).map(
      ({ id }) => id,
    );

  it("lists bumped posts, last bumped first", async () => {
    expect(await posts()).toEqual([sea.id, forest.id]);
    const again = await create(forest, janitor, { body: "up it goes" });
    expect(await posts()).toEqual([forest.id, sea.id]);
    await janitor.client.delete(`/comments/${again}.json`);
    expect(await posts()).toEqual([sea.id, forest.id]);
  });

  it("lists them in the format of /posts.json", async () => {
    const grouped = await test.anonymous.get("/comments.json", { group_by: "post", limit: 1 });
    const { json: shown } = await test.anonymous.get(`/posts/${sea.id}.json`);
    expect(grouped.json).toEqual([shown]);
    const { xml } = await test.anonymous.get("/comments.xml", { group_by: "post" });
    expect([xml?.name, xml?.elements?.[0]?.name]).toEqual(["posts", "post"]);
  });

  it("accepts tags, searches and pages", async () => {
    expect(await posts({ tags: "forest" })).toEqual([forest.id]);
    expect(await posts({ search: { creator_id: janitor.id } })).toContain(sea.id);
    expect(await posts({ search: { body_matches: "mast" } })).toEqual([sea.id]);
    expect(await posts({ search: { body_matches: "treasure" } })).toEqual([]);
    expect(await posts({ limit: 1, page: 2 })).toEqual([forest.id]);
    expect(await posts({ page: `b${forest.id}` })).toEqual([sea.id]);
  });
});

describe("GET /notes.json?group_by=post", () => {
  it("lists posts with notes, the one with the newest note first", async () => {
    const note = (post: TestPost, body: string) =>
      writer.client.post("/notes.json", { note: { post_id: post.id, x: 0, y: 0, width: 1, height: 1, body } });
    await note(sea, "a sail");
    const { json: tree } = await note(forest, "a tree");
    const posts = async (params: Params = {}) => {
      const { status, json } = await test.anonymous.get("/notes.json", { group_by: "post", ...params });
      expect(status).toBe(200);
      return (json as { id: number }[]).map(({ id }) => id);
    };
    expect(await posts()).toEqual([forest.id, sea.id]);
    expect(await posts({ tags: "sea" })).toEqual([sea.id]);
    expect(await posts({ search: { body_matches: "trees" } })).toEqual([forest.id]);
    await writer.client.delete(`/notes/${tree.id}.json`);
    expect(await posts()).toEqual([sea.id]);
    const notes = await test.anonymous.get("/notes.json", { group_by: "note" });
    expect((notes.json as { body: string }[]).map(({ body }) => body)).toEqual(["a tree", "a sail"]);
    expect((await test.anonymous.get("/notes.json", { group_by: "comment" })).status).toBe(424);
  });
});
