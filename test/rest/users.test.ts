import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

interface Listed {
  id: number;
  name: string;
}

let test: TestBoard;
let [alice, alina, bob, carol]: TestUser[] = [];

beforeAll(async () => {
  test = await startBoard({ MAX_PER_PAGE: "50" });
  alice = await test.make.user("Member", "Alice_Liddell");
  alina = await test.make.user("Gold", "alina");
  bob = await test.make.user("Contributor", "Bob");
  carol = await test.make.user("Moderator", "carol_100%");
});
afterAll(() => test[Symbol.asyncDispose]());

const list = (params: Params): Promise<Answer> => test.anonymous.get("/users.json", params);
const namesOf = ({ json }: Answer): string[] => (json as Listed[]).map((user) => user.name);
const names = async (params: Params): Promise<string[]> => namesOf(await list(params));
const search = (keys: Params): Promise<string[]> => names({ search: keys });

const FIELDS = [
  "id",
  "created_at",
  "name",
  "inviter_id",
  "level",
  "level_string",
  "base_upload_limit",
  "post_upload_count",
  "post_update_count",
  "note_update_count",
  "favorite_count",
  "is_banned",
  "is_deleted",
  "can_upload_free",
  "can_approve_posts",
];

const COUNTERS = {
  wiki_page_version_count: 0,
  artist_version_count: 0,
  artist_commentary_version_count: 0,
  pool_version_count: 0,
  forum_post_count: 0,
  comment_count: 0,
  appeal_count: 0,
  flag_count: null, // who flags is for Moderators to know
  positive_feedback_count: 0,
  neutral_feedback_count: 0,
  negative_feedback_count: 0,
};

describe("GET /users.json", () => {
  it("lists newest first, with the fields of a user and nothing secret", async () => {
    const { status, json } = await list({});
    expect(status).toBe(200);
    expect(namesOf({ json } as Answer)).toEqual(["carol_100%", "Bob", "alina", "Alice_Liddell"]);
    expect(Object.keys((json as object[])[0] ?? {})).toEqual(FIELDS);
  });

  it("search[name] is an exact name in any case, with spaces as underscores", async () => {
    expect(await search({ name: "alice liddell" })).toEqual(["Alice_Liddell"]);
    expect(await search({ name: "ALINA" })).toEqual(["alina"]);
    expect(await search({ name: "ali" })).toEqual([]);
  });

  it("search[name] and search[name_matches] accept patterns in which only the asterisk is special", async () => {
    expect(await search({ name: "AL*" })).toEqual(["alina", "Alice_Liddell"]);
    expect(await search({ name: "*o*" })).toEqual(["carol_100%", "Bob"]);
    expect(await search({ name_matches: "ali*l" })).toEqual(["Alice_Liddell"]);
    expect(await search({ name: "*_100%" })).toEqual(["carol_100%"]);
    expect([await search({ name: "%" }), await search({ name: "_ob" }), await search({ name: "\\" })]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it("search[level], [min_level] and [max_level] select by level", async () => {
    expect(await search({ level: 30 })).toEqual(["alina"]);
    expect(await search({ min_level: 33 })).toEqual(["carol_100%", "Bob"]);
    expect(await search({ max_level: 30 })).toEqual(["alina", "Alice_Liddell"]);
    expect(await search({ min_level: 30, max_level: 33 })).toEqual(["Bob", "alina"]);
    expect(await search({ level: 99 })).toEqual([]);
  });

  it("424 for a level that is not a number, naming it", async () => {
    const { status, json } = await list({ search: { level: "high" } });
    const reason = "search[level] is invalid";
    expect([status, json]).toEqual([
      424,
      { success: false, reason, message: reason, errors: { "search[level]": ["is invalid"] } },
    ]);
  });

  it("search[id] accepts a comma list, in which invalid ids match nothing", async () => {
    expect(await search({ id: `${alice?.id}, ${carol?.id}` })).toEqual(["carol_100%", "Alice_Liddell"]);
    expect(await search({ id: `${alice?.id},x,-1,99999999999,` })).toEqual(["Alice_Liddell"]);
    expect([await search({ id: "garbage" }), await search({ id: "1e3;--" }), await search({ id: "0" })]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it("search[order] and search[sort] order by name, counters and date", async () => {
    const { database } = test.board;
    const set = (user: TestUser | undefined, data: object) =>
      database.user.update({ where: { id: user?.id ?? 0 }, data });
    await set(alice, { postUploadCount: 3, noteUpdateCount: 1, postUpdateCount: 2 });
    await set(alina, { postUploadCount: 1, noteUpdateCount: 3, postUpdateCount: 3 });
    await set(bob, { postUploadCount: 2, noteUpdateCount: 2, postUpdateCount: 1 });
    await set(carol, { createdAt: new Date("2001-02-03T04:05:06.789Z") });
    const first = (order: string) => search({ order }).then((all) => all.map((name) => name.slice(0, 3)));
    expect(await first("name")).toEqual(["Ali", "ali", "Bob", "car"]);
    expect(await first("post_upload_count")).toEqual(["Ali", "Bob", "ali", "car"]);
    expect(await first("note_count")).toEqual(["ali", "Bob", "Ali", "car"]);
    expect(await first("post_update_count")).toEqual(["ali", "Ali", "Bob", "car"]);
    expect(await first("DATE")).toEqual(["Bob", "ali", "Ali", "car"]);
    expect(await search({ sort: "name" })).toEqual(await search({ order: "name" }));
  });

  it("424 for an unknown order", async () => {
    const { status, json } = await list({ search: { order: "size" } });
    const reason = "search[order] must be one of name, post_upload_count, note_count, post_update_count, date";
    expect([status, json.reason]).toEqual([424, reason]);
  });

  it("blank keys are absent and unknown ones are ignored", async () => {
    const all = await names({});
    expect(await search({ name: "", level: " ", id: "", order: "" })).toEqual(all);
    expect(await names({ search: "", utf8: "✓", commit: "Search", earch: { name: "x" } })).toEqual(all);
    expect(await search({ email: "a@b.c", password_hash: "x", inviter: { name: "x" } })).toEqual(all);
  });

  it("`page` is a number, or before or after an id", async () => {
    expect(await names({ limit: 2, page: 2 })).toEqual(["alina", "Alice_Liddell"]);
    expect(await names({ limit: 2, page: 3 })).toEqual([]);
    expect(await names({ limit: 2, page: `b${bob?.id}` })).toEqual(["alina", "Alice_Liddell"]);
    expect(await names({ limit: 2, page: `a${alice?.id}` })).toEqual(["Bob", "alina"]);
    expect(await names({ limit: 9, page: `A${bob?.id}`, search: { order: "name" } })).toEqual(["carol_100%"]);
    expect(await names({ limit: 1, page: "0" })).toEqual(["carol_100%"]);
  });

  it("424 for a page number over 1000, with the alternative", async () => {
    const { status, json } = await list({ page: 1001 });
    const fault = "must be at most 1000; use page=b<id> to go further back";
    expect([status, json.reason, json.errors]).toEqual([424, `page ${fault}`, { page: [fault] }]);
    expect((await list({ page: 1000 })).status).toBe(200);
  });

  it("`limit` is clamped, 20 by default, and 424 if it is not a number", async () => {
    for (let made = 0; made < 51; made += 1) await test.make.user();
    const counts = await Promise.all(
      ["", "0", "-3", "7", "1000", "99999999999999"].map(async (limit) => (await names({ limit })).length),
    );
    expect(counts).toEqual([20, 1, 1, 7, 50, 50]);
    expect((await list({ limit: "many" })).json.reason).toBe("limit is invalid");
  });
});

describe("GET /users/{id}.json", () => {
  it("returns the user with counters, to anybody", async () => {
    const { status, json } = await test.anonymous.get(`/users/${bob?.id}.json`);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: bob?.id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/) as string,
      name: "Bob",
      inviter_id: null,
      level: 33,
      level_string: "Contributor",
      base_upload_limit: 0,
      post_upload_count: 2,
      post_update_count: 1,
      note_update_count: 2,
      favorite_count: 0,
      is_banned: false,
      is_deleted: false,
      can_upload_free: true,
      can_approve_posts: false,
      ...COUNTERS,
    });
  });

  it("counts the user's contributions", async () => {
    const { database } = test.board;
    const [id, post] = [alina?.id ?? 0, await test.make.post()];
    const page = await database.wikiPage.create({
      data: { title: "cat", body: "purrs", creatorId: id, updaterId: id },
    });
    await database.wikiPageVersion.create({
      data: { wikiPageId: page.id, version: 1, title: "cat", body: "purrs", updaterId: id },
    });
    for (const body of ["one", "two"]) {
      await database.comment.create({ data: { postId: post.id, body, creatorId: id, updaterId: id } });
    }
    await database.postFlag.create({ data: { postId: post.id, reason: "bad", creatorId: id } });
    const { json } = await test.anonymous.get(`/users/${id}.json`);
    expect(json).toMatchObject({ ...COUNTERS, wiki_page_version_count: 1, comment_count: 2 });
    const moderator = await test.make.user("Moderator");
    expect((await moderator.client.get(`/users/${id}.json`)).json.flag_count).toBe(1);
  });

  it("counts feedback about the user, except deleted feedback", async () => {
    const [userId, creatorId] = [alina?.id ?? 0, carol?.id ?? 0];
    for (const category of ["positive", "positive", "negative"]) {
      await test.board.database.userFeedback.create({ data: { userId, creatorId, category, body: "so" } });
    }
    const gone = { userId, creatorId, category: "neutral", body: "so", isDeleted: true };
    await test.board.database.userFeedback.create({ data: gone });
    const { json } = await test.anonymous.get(`/users/${userId}.json`);
    expect(json).toMatchObject({ positive_feedback_count: 2, neutral_feedback_count: 0, negative_feedback_count: 1 });
  });

  it("404 for an unknown id, one out of range, and a name", async () => {
    const paths = ["/users/2000000000.json", "/users/99999999999999999999.json", "/users/Bob.json", "/users/-1.json"];
    const answers = await Promise.all(paths.map((path) => test.anonymous.get(path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(answers[0]?.json).toEqual({ success: false, reason: "not found", message: "not found" });
  });

  it("never shows another user's secrets, even to an Admin", async () => {
    await test.board.database.user.update({ where: { id: alice?.id ?? 0 }, data: { email: "alice@wonder.land" } });
    const { client } = await test.make.user("Admin");
    const path = `/users/${alice?.id}`;
    const answers = [
      await client.get(`${path}.json`, { only: "id,api_key,password_hash,email,settings" }),
      await client.get(`${path}.json`),
      await client.get(`${path}.xml`),
      await client.get("/users.json", { limit: 1000 }),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/\$2[aby]\$|wonder\.land|api[_-]key|password|email|last[_-]ip|settings/);
    }
    expect(answers[0]?.json).toEqual({ id: alice?.id });
  });
});
