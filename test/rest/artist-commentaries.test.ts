import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

const PATH = "/artist_commentaries/create_or_update.json";
const write = (postId: number, texts: Params = {}, by = member.client): Promise<Answer> =>
  by.post(PATH, { artist_commentary: { post_id: postId, ...texts } });
const versionsOf = (postId: number) =>
  test.board.database.artistCommentaryVersion.findMany({ where: { postId }, orderBy: { id: "asc" } });

/** Expects a refusal, and that no commentary or version is another afterwards. */
async function refused(work: () => Promise<Answer>, status: number, reason: string): Promise<void> {
  const state = async () => [
    await test.board.database.artistCommentary.findMany({ orderBy: { id: "asc" } }),
    await test.board.database.artistCommentaryVersion.count(),
  ];
  const before = await state();
  const answer = await work();
  expect([answer.status, answer.json.success, answer.json.reason]).toEqual([status, false, reason]);
  expect(await state()).toEqual(before);
}

describe("POST /artist_commentaries/create_or_update.json", () => {
  it("creates the commentary of a post with its first version", async () => {
    const { id } = await test.make.post();
    const { status, json } = await write(id, { original_title: " 海 ", original_description: "波\nの音" });
    expect(status).toBe(200);
    const time = expect.stringMatching(/\.\d{3}\+00:00$/);
    expect(json).toEqual({
      success: true,
      reason: "",
      id: json.id,
      post_id: id,
      original_title: "海",
      original_description: "波\nの音",
      translated_title: "",
      translated_description: "",
      created_at: time,
      updated_at: time,
    });
    expect(await versionsOf(id)).toMatchObject([
      { version: 1, artistCommentaryId: json.id, updaterId: member.id, originalTitle: "海", translatedTitle: "" },
    ]);
  });

  it("updates sent fields of an existing one, with a version; no change creates no version", async () => {
    const { id } = await test.make.post();
    const { json: made } = await write(id, { original_title: "海", original_description: "波" });
    const { json } = await write(id, { translated_title: "Sea", original_description: "" });
    expect(json).toMatchObject({
      id: made.id,
      original_title: "海",
      original_description: "",
      translated_title: "Sea",
      translated_description: "",
    });
    await write(id, { translated_title: "Sea" });
    expect((await versionsOf(id)).map((each) => [each.version, each.originalDescription])).toEqual([
      [1, "波"],
      [2, ""],
    ]);
  });

  it("accepts PUT, and returns the envelope in XML", async () => {
    const { id } = await test.make.post();
    const put = await member.client.put(PATH, { artist_commentary: { post_id: id, translated_title: "Sea" } });
    expect([put.status, put.json.translated_title]).toEqual([200, "Sea"]);
    const { text } = await member.client.post(PATH.replace("json", "xml"), { artist_commentary: { post_id: id } });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it("creates one commentary when two users write concurrently", async () => {
    const { id } = await test.make.post();
    const answers = await Promise.all([write(id, { original_title: "a" }), write(id, { translated_title: "b" })]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect(await test.board.database.artistCommentary.findMany({ where: { postId: id } })).toMatchObject([
      { originalTitle: "a", translatedTitle: "b" },
    ]);
    expect((await versionsOf(id)).map((each) => each.version)).toEqual([1, 2]);
  });

  it.each([
    ["original_title", 600],
    ["original_description", 55_000],
    ["translated_title", 300],
    ["translated_description", 55_000],
  ])("420 for a longer %s than %i characters", async (field, limit) => {
    const { id } = await test.make.post();
    expect((await write(id, { [field]: "あ".repeat(limit) })).status).toBe(200);
    const reason = `${field} is too long (at most ${limit} characters)`;
    await refused(() => write(id, { [field]: "あ".repeat(limit + 1) }), 420, reason);
  });

  it("420 for an unknown post and invalid text, 424 without a post, 403 for visitors", async () => {
    const { id } = await test.make.post();
    await refused(() => write(999_999, { original_title: "x" }), 420, "post does not exist");
    await refused(() => write(id, { original_title: "a\0b" }), 420, "original_title is invalid");
    const without = { artist_commentary: { original_title: "x" } };
    await refused(() => member.client.post(PATH, without), 424, "artist_commentary[post_id] is required");
    await refused(() => write(id, { original_title: "x" }, test.anonymous), 403, "login required");
  });
});

describe("PUT /artist_commentaries/{post_id}/revert.json", () => {
  const revert = (postId: number, versionId?: number, by = member.client) =>
    by.put(`/artist_commentaries/${postId}/revert.json`, { version_id: versionId });

  it("restores the four texts, with a version; the id is the post's", async () => {
    const { id } = await test.make.post();
    const texts = {
      original_title: "1",
      original_description: "2",
      translated_title: "3",
      translated_description: "4",
    };
    await write(id, texts);
    await write(id, {
      original_title: "",
      original_description: "",
      translated_title: "x",
      translated_description: "",
    });
    const [first] = await versionsOf(id);
    const { status, json } = await revert(id, first?.id);
    expect([status, json]).toEqual([200, expect.objectContaining({ post_id: id, ...texts })]);
    expect((await versionsOf(id)).map((each) => [each.version, each.originalTitle])).toEqual([
      [1, "1"],
      [2, ""],
      [3, "1"],
    ]);
  });

  it("404 for a version of another post or a post without commentary, 424 without a version, 403 for visitors", async () => {
    const [one, other, none] = [await test.make.post(), await test.make.post(), await test.make.post()];
    await write(one.id, { original_title: "x" });
    await write(other.id, { original_title: "y" });
    const [own] = await versionsOf(one.id);
    const [foreign] = await versionsOf(other.id);
    await refused(() => revert(one.id, foreign?.id), 404, "not found");
    await refused(() => revert(none.id, own?.id), 404, "not found");
    await refused(() => revert(one.id), 424, "version_id is required");
    await refused(() => revert(one.id, own?.id, test.anonymous), 403, "login required");
  });
});

describe("GET /artist_commentaries.json", () => {
  it("finds by text, post, the post's tags, and presence of texts", async () => {
    const [sea, hill, bare] = [await test.make.post("sea"), await test.make.post("hill"), await test.make.post("bare")];
    const ids = [sea.id, hill.id, bare.id];
    await write(sea.id, { original_title: "Mer 100%", translated_description: "The SEA at night" });
    await write(hill.id, { original_description: "colline" });
    await write(bare.id);
    const found = async (search: Params) =>
      (
        (await test.anonymous.get("/artist_commentaries.json", { search: { post_id: ids.join(","), ...search } }))
          .json as { post_id: number }[]
      ).map((each) => each.post_id);
    expect(await found({})).toEqual([bare.id, hill.id, sea.id]);
    expect(await found({ text_matches: "sea at" })).toEqual([sea.id]);
    expect(await found({ text_matches: "MER 100%" })).toEqual([sea.id]);
    expect(await found({ text_matches: "the*night" })).toEqual([sea.id]);
    expect(await found({ text_matches: "sea*" })).toEqual([]);
    expect(await found({ text_matches: "col" })).toEqual([hill.id]);
    expect(await found({ post_id: hill.id })).toEqual([hill.id]);
    expect(await found({ post_tags_match: "sea -hill" })).toEqual([sea.id]);
    expect(await found({ post_tags_match: "nothing_of_the_kind" })).toEqual([]);
    expect(await found({ original_present: "yes" })).toEqual([hill.id, sea.id]);
    expect(await found({ original_present: "no" })).toEqual([bare.id]);
    expect(await found({ translated_present: "yes" })).toEqual([sea.id]);
    expect(await found({ translated_present: "no" })).toEqual([bare.id, hill.id]);
    const bad = await test.anonymous.get("/artist_commentaries.json", { search: { original_present: "perhaps" } });
    expect([bad.status, bad.json.reason]).toEqual([424, "search[original_present] is invalid"]);
  });

  it("has pages and XML", async () => {
    const newest = (await test.anonymous.get("/artist_commentaries.json", { limit: 2 })).json as { id: number }[];
    const second = (await test.anonymous.get("/artist_commentaries.json", { limit: 1, page: 2 })).json;
    const before = (await test.anonymous.get("/artist_commentaries.json", { limit: 1, page: `b${newest[0]?.id}` }))
      .json;
    expect([second, before]).toEqual([[newest[1]], [newest[1]]]);
    const { text } = await test.anonymous.get("/artist_commentaries.xml", { limit: 1 });
    expect(text).toContain('<artist-commentaries type="array"><artist-commentary><id type="integer">');
  });
});

describe("GET /artist_commentaries/{id} and /posts/{post_id}/artist_commentary", () => {
  it("return the commentary by its own id and by the post's", async () => {
    const { id } = await test.make.post();
    const { json: made } = await write(id, { original_title: "x" });
    const { json } = await test.anonymous.get(`/artist_commentaries/${made.id}.json`);
    expect(made).toEqual({ success: true, reason: "", ...json });
    expect((await test.anonymous.get(`/posts/${id}/artist_commentary.json`)).json).toEqual(json);
    expect((await test.anonymous.get(`/posts/${id}/artist_commentary.xml`)).text).toContain("<artist-commentary>");
  });

  it("404 if there is none", async () => {
    const { id } = await test.make.post();
    expect((await test.anonymous.get("/artist_commentaries/999999.json")).status).toBe(404);
    expect((await test.anonymous.get(`/posts/${id}/artist_commentary.json`)).status).toBe(404);
    expect((await test.anonymous.get("/posts/999999/artist_commentary.json")).status).toBe(404);
  });
});

describe("GET /artist_commentary_versions.json", () => {
  it("finds by post and updater, newest first, and shows one", async () => {
    const other = await test.make.user();
    const { id } = await test.make.post();
    const { json: made } = await write(id, { original_title: "x" });
    await write(id, { original_title: "y" }, other.client);
    const found = async (search: Params) =>
      (await test.anonymous.get("/artist_commentary_versions.json", { search })).json as { version: number }[];
    expect((await found({ post_id: id })).map((each) => each.version)).toEqual([2, 1]);
    expect((await found({ post_id: id, updater_id: member.id })).map((each) => each.version)).toEqual([1]);
    expect((await found({ updater_name: other.name })).map((each) => each.version)).toEqual([2]);
    const [version] = (await found({ post_id: id, updater_id: other.id })) as { id: number; version: number }[];
    expect(version).toMatchObject({
      post_id: id,
      artist_commentary_id: made.id,
      updater_id: other.id,
      updater_name: other.name,
      original_title: "y",
      original_description: "",
      translated_title: "",
      translated_description: "",
    });
    expect((await test.anonymous.get(`/artist_commentary_versions/${version?.id}.json`)).json).toEqual(version);
    expect((await test.anonymous.get("/artist_commentary_versions/999999.json")).status).toBe(404);
    expect((await test.anonymous.get("/artist_commentary_versions.xml", { limit: 1 })).text).toContain(
      '<artist-commentary-versions type="array"><artist-commentary-version>',
    );
  });
});
