import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Params } from "../support/client.js";
import { copyPost } from "../support/copies.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
let builder: TestUser;
let janitor: TestUser;
let platinum: TestUser;
let posts: [number, number, number, number];
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
  platinum = await test.make.user("Platinum");
  builder = await test.make.user("Builder");
  janitor = await test.make.user("Janitor");
  const make = async () => (await test.make.post("tree")).id;
  posts = [await make(), await make(), await make(), await make()];
});
afterAll(() => test[Symbol.asyncDispose]());

let serial = 0;
const freshName = () => `pool_number_${(serial += 1)}x`;
const create = async (attributes: Params = {}): Promise<number> => {
  const pool = { name: freshName(), description: "about", post_ids: posts.slice(0, 2).join(" "), ...attributes };
  const { status, json } = await member.client.post("/pools.json", { pool });
  expect([status, json.reason]).toEqual([200, ""]);
  return json.id as number;
};
const edit = (id: number, pool: Params, as = member) => as.client.put(`/pools/${id}.json`, { pool });
const show = async (id: number) => (await test.anonymous.get(`/pools/${id}.json`)).json;
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely
const versions = async (id: number): Promise<any[]> =>
  (await test.anonymous.get("/pool_versions.json", { search: { pool_id: id } })).json;

/** Expects a refusal, and that pools, versions and the log of the staff are as before. */
async function refused(work: () => Promise<Answer>, status: number, reason: string): Promise<Answer> {
  const state = async () => [
    await test.board.database.pool.findMany({ orderBy: { id: "asc" } }),
    await test.board.database.poolVersion.count(),
    await test.board.database.modAction.count(),
  ];
  const before = await state();
  const answer = await work();
  expect([answer.status, answer.json.success, answer.json.reason]).toEqual([status, false, reason]);
  expect(await state()).toEqual(before);
  return answer;
}

describe("POST /pools.json", () => {
  it("creates a series with its first version, and returns its Location", async () => {
    const pool = { name: "  Two  small\tBoats ", description: "of wood", post_ids: `${posts[1]} ${posts[0]}` };
    const { status, json, headers } = await member.client.post("/pools.json", { pool });
    expect([status, headers.get("location")]).toEqual([200, `/pools/${json.id}`]);
    const { success, reason, ...record } = json;
    expect([success, reason]).toEqual([true, ""]);
    expect(record).toEqual({
      id: json.id,
      name: "Two_small_Boats",
      created_at: json.created_at,
      updated_at: json.updated_at,
      creator_id: member.id,
      creator_name: member.name,
      description: "of wood",
      is_active: true,
      is_deleted: false,
      category: "series",
      post_ids: [posts[1], posts[0]],
      post_count: 2,
    });
    expect(await show(json.id)).toEqual(record);
    expect(await versions(json.id)).toMatchObject([{ version: 1, added_post_ids: [posts[1], posts[0]] }]);
    expect((await test.anonymous.get(`/posts/${posts[0]}.json`)).json.pool_string).toBe(`pool:${json.id}`);
  });

  it("a collection has each post once, a series as often as given", async () => {
    const twice = [posts[2], posts[0], posts[2]].join(",");
    const [series, collection] = [
      await create({ post_ids: twice }),
      await create({ post_ids: twice, category: "Collection" }),
    ];
    expect(await show(series)).toMatchObject({ post_ids: [posts[2], posts[0], posts[2]], post_count: 3 });
    expect(await show(collection)).toMatchObject({
      category: "collection",
      post_ids: [posts[2], posts[0]],
      post_count: 2,
    });
  });

  it("accepts arrays, and JSON with numbers", async () => {
    const array = await create({ post_ids: posts });
    const body = { pool: { name: freshName(), description: "x", post_ids: posts, is_active: false } };
    const { json } = await member.client.json("POST", "/pools.json", body);
    expect([(await show(array)).post_ids, json.post_ids, json.is_active]).toEqual([posts, posts, false]);
  });

  it("returns the envelope in XML", async () => {
    const { text } = await member.client.post("/pools.xml", { pool: { name: freshName(), description: "x" } });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it("403 for visitors and banned users", async () => {
    const pool = { name: freshName(), description: "x" };
    const banned = await test.make.user("Builder");
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    await refused(() => test.anonymous.post("/pools.json", { pool }), 403, "login required");
    await refused(() => banned.client.post("/pools.json", { pool }), 403, "your account is banned");
  });

  it.each([
    ["of blanks as name", { name: " " }, 424, "pool[name] is required"],
    ["without a description", { description: undefined }, 424, "pool[description] is required"],
    ["of an unknown category", { category: "list" }, 424, "pool[category] must be one of series, collection"],
    ["of posts that are no numbers", { post_ids: "1 x" }, 424, "pool[post_ids] is invalid"],
    ["of unknown posts", { post_ids: "0 999999" }, 420, "post_ids contains posts that do not exist: 0, 999999"],
    ["with a comma in the name", { name: "a,b" }, 420, "name is invalid"],
    ["with a star in the name", { name: "a*b" }, 420, "name is invalid"],
    ["of digits as name", { name: "1234" }, 420, "name is invalid"],
    ["of a word of the search as name", { name: "None" }, 420, "name is a reserved word"],
    ["of too long a name", { name: "a".repeat(171) }, 420, "name is too long (at most 170 characters)"],
    ["with half a character in the name", { name: "a\0" }, 420, "name is invalid"],
  ])("refuses one %s", async (_, attributes, status, reason) => {
    const pool = { name: freshName(), description: "x", ...attributes };
    await refused(() => member.client.post("/pools.json", { pool }), status, reason);
  });

  it("423 for a name taken in any case, even by a deleted pool", async () => {
    const id = await create({ name: "Taken Name" });
    const again = () => member.client.post("/pools.json", { pool: { name: "taken_NAME", description: "x" } });
    await refused(again, 423, "name is already taken");
    await janitor.client.delete(`/pools/${id}.json`);
    await refused(again, 423, "name is already taken");
  });

  it("creates one pool for concurrent requests with the same name", async () => {
    const pool = { name: freshName(), description: "x" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => member.client.post("/pools.json", { pool })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 423, 423, 423]);
  });
});

describe("PUT /pools/{id}.json", () => {
  it("keeps a name that no pool gets any more, as an imported one may have", async () => {
    const id = await create();
    await test.board.database.pool.update({ where: { id }, data: { name: "any" } });
    expect((await edit(id, { description: "new" })).json).toMatchObject({ name: "any", description: "new" });
  });

  it("changes sent fields, with a version; no change creates no version", async () => {
    const id = await create();
    const name = freshName();
    const { json } = await edit(id, { name, post_ids: `${posts[3]},${posts[0]}`, is_active: "0" });
    expect(json).toMatchObject({ name, description: "about", post_ids: [posts[3], posts[0]], is_active: false });
    await edit(id, { name, is_active: "false" });
    const [second, first, ...others] = await versions(id);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ version: 1, name_changed: false, description_changed: false, is_active: true });
    expect(second).toMatchObject({
      pool_id: id,
      version: 2,
      updater_id: member.id,
      updater_name: member.name,
      post_ids: [posts[3], posts[0]],
      added_post_ids: [posts[3]],
      removed_post_ids: [posts[1]],
      name,
      name_changed: true,
      description: "about",
      description_changed: false,
      category: "series",
      is_active: false,
      is_deleted: false,
    });
  });

  it("keeps the given order; a blank list removes all posts", async () => {
    const id = await create({ post_ids: posts });
    expect((await edit(id, { post_ids: posts.toReversed() })).json.post_ids).toEqual(posts.toReversed());
    expect((await versions(id))[0]).toMatchObject({ added_post_ids: [], removed_post_ids: [] });
    expect((await edit(id, { post_ids: "" })).json).toMatchObject({ post_ids: [], post_count: 0 });
  });

  it("a series that becomes a collection keeps the first position of each post", async () => {
    const id = await create({ post_ids: [posts[1], posts[0], posts[1]] });
    expect((await edit(id, { category: "collection" })).json.post_ids).toEqual([posts[1], posts[0]]);
  });

  it("403 below Builder for the category of a pool of more than 100 posts", async () => {
    const id = await create();
    const many = Array.from({ length: 101 }, () => posts[0]);
    await edit(id, { post_ids: many.slice(1) });
    expect((await edit(id, { category: "collection" }, platinum)).json).toMatchObject({ post_count: 1 });
    await edit(id, { category: "series", post_ids: many });
    await refused(() => edit(id, { category: "collection" }, platinum), 403, "access denied");
    expect((await edit(id, { category: "series", description: "new" })).status).toBe(200);
    expect((await edit(id, { category: "collection" }, builder)).json).toMatchObject({ post_count: 1 });
    expect((await edit(id, { category: "series" })).status).toBe(200);
  });

  it("420 for a name of another pool, blank names, unknown posts and a description over the limit", async () => {
    const [id, other] = [await create(), await create()];
    const { name } = await show(other);
    const { json } = await refused(() => edit(id, { name: name.toUpperCase() }), 420, "name is already taken");
    expect(json.errors).toEqual({ name: ["is already taken"] });
    await refused(() => edit(id, { name: "" }), 420, "name can't be blank");
    await refused(() => edit(id, { post_ids: "-1" }), 420, "post_ids contains posts that do not exist: -1");
    await refused(
      () => edit(id, { description: "a".repeat(20_001) }),
      420,
      "description is too long (at most 20000 characters)",
    );
    expect((await edit(other, { name: name.toUpperCase() })).status).toBe(200);
  });

  it("403 for visitors, 404 for an unknown pool", async () => {
    const id = await create();
    await refused(() => test.anonymous.put(`/pools/${id}.json`, { pool: { name: "x" } }), 403, "login required");
    await refused(() => edit(999_999, { name: "x" }), 404, "not found");
  });
});

describe("DELETE /pools/{id}.json and POST /pools/{id}/undelete.json", () => {
  it("403 below Janitor; a Janitor's deletes and undeletes are versions and mod actions", async () => {
    const id = await create();
    for (const below of [test.anonymous, platinum.client, (await test.make.user("Contributor")).client]) {
      const reason = below === test.anonymous ? "login required" : "access denied";
      await refused(() => below.delete(`/pools/${id}.json`), 403, reason);
      await refused(() => below.post(`/pools/${id}/undelete.json`), 403, reason);
    }
    expect((await janitor.client.delete(`/pools/${id}.json`)).json).toMatchObject({ is_deleted: true, post_count: 2 });
    expect((await janitor.client.delete(`/pools/${id}.json`)).status).toBe(200);
    expect((await show(id)).is_deleted).toBe(true);
    expect((await janitor.client.post(`/pools/${id}/undelete.json`)).json.is_deleted).toBe(false);
    expect((await versions(id)).map((each) => [each.version, each.is_deleted])).toEqual([
      [3, false],
      [2, true],
      [1, false],
    ]);
    const log = await test.board.database.modAction.findMany({
      where: { subjectType: "Pool", subjectId: id },
      orderBy: { id: "asc" },
    });
    expect(log.map(({ creatorId, category }) => [creatorId, category])).toEqual([
      [janitor.id, "pool_delete"],
      [janitor.id, "pool_undelete"],
    ]);
  });

  it("404 for an unknown pool", async () => {
    expect((await janitor.client.delete("/pools/999999.json")).status).toBe(404);
    expect((await janitor.client.post("/pools/999999/undelete.json")).status).toBe(404);
  });
});

describe("the numbers of pools that searches compare", () => {
  it("follow every change of a pool", async () => {
    const tag = "counted_in_pools";
    const [first, second] = [(await test.make.post(tag)).id, (await test.make.post(tag)).id];
    const found = async (search: string): Promise<number[]> =>
      (await test.anonymous.get("/posts.json", { tags: `${tag} ${search} order:id` })).json.map(
        (post: { id: number }) => post.id,
      );
    /** Which of the posts are in as many pools of each kind. */
    const posted = async () => ({
      none: await found("pool:none"),
      one: await found("pools:1"),
      two: await found("pools:>1"),
      series: await found("series_pools:1"),
      collections: await found("pool:collection"),
      deleted: await found("deleted_pools:>0"),
    });
    const neither = { none: [first, second], one: [], two: [], series: [], collections: [], deleted: [] };
    expect(await posted()).toEqual(neither);

    const series = await create({ post_ids: `${first} ${first}` });
    const other = await create({ post_ids: `${first} ${second}`, category: "collection" });
    const both = { none: [], one: [second], two: [first], series: [first], collections: [first, second], deleted: [] };
    expect(await posted()).toEqual(both);

    await edit(other, { post_ids: `${second}` });
    await edit(series, { category: "collection" });
    expect(await posted()).toEqual({ ...both, one: [first, second], two: [], series: [] });

    await janitor.client.delete(`/pools/${other}.json`);
    const half = { none: [second], one: [first, second], two: [], series: [], collections: [first], deleted: [second] };
    expect(await posted()).toEqual(half);

    await janitor.client.post(`/pools/${other}/undelete.json`);
    await edit(series, { post_ids: "" });
    await edit(other, { post_ids: "" });
    expect(await posted()).toEqual(neither);
    expect(await test.board.database.postCount.count({ where: { postId: { in: [first, second] } } })).toBe(0);
  });

  it("are right if several pools change at once", async () => {
    const tag = "pooled_at_once";
    const post = (await test.make.post(tag)).id;
    const ids = await Promise.all(posts.map(() => create({ post_ids: "" })));
    await Promise.all(ids.map((id) => edit(id, { post_ids: `${post} ${posts[0]}` })));
    expect((await test.anonymous.get("/counts/posts.json", { tags: `${tag} pools:${ids.length}` })).json).toEqual({
      counts: { posts: 1 },
    });
    await Promise.all(ids.map((id) => edit(id, { post_ids: "" })));
    expect((await test.anonymous.get("/counts/posts.json", { tags: `${tag} pools:0` })).json).toEqual({
      counts: { posts: 1 },
    });
  });
});

describe("PUT /pools/{id}/revert.json", () => {
  const revert = (id: number, versionId: unknown, as = member.client) =>
    as.put(`/pools/${id}/revert.json`, { version_id: versionId as number });

  it("restores posts, name and description, but neither category nor is_active, as a new version", async () => {
    const id = await create({ post_ids: [posts[0], posts[1], posts[0]] });
    const before = await show(id);
    await edit(id, { name: freshName(), description: "new", post_ids: "", category: "collection", is_active: "0" });
    const [, first] = await versions(id);
    const { json } = await revert(id, first.id);
    expect(json).toMatchObject({
      name: before.name,
      description: "about",
      post_ids: [posts[0], posts[1]],
      category: "collection",
      is_active: false,
    });
    expect((await versions(id)).length).toBe(3);
  });

  it("restores only a name or description, and leaves out posts that no longer exist", async () => {
    const gone = await test.make.post();
    const id = await create({ post_ids: [posts[0], gone.id] });
    await edit(id, { description: "new", post_ids: [posts[0]] });
    await test.board.database.post.delete({ where: { id: gone.id } });
    const [, first] = await versions(id);
    expect((await revert(id, first.id)).json).toMatchObject({ description: "about", post_ids: [posts[0]] });
  });

  it("403 for visitors, 404 for a version of another pool, 424 without one, 420 for a name taken meanwhile", async () => {
    const [id, other] = [await create(), await create()];
    const [own] = await versions(id);
    const [foreign] = await versions(other);
    const { name } = await show(id);
    await refused(() => revert(id, own.id, test.anonymous), 403, "login required");
    await refused(() => revert(id, foreign.id), 404, "not found");
    await refused(() => revert(id, undefined), 424, "version_id is required");
    await edit(id, { name: freshName() });
    await edit(other, { name });
    await refused(() => revert(id, own.id), 420, "name is already taken");
  });
});

describe("a pool of thousands of posts", () => {
  /** How often each of the posts has been written, as far as its revision says. */
  const revisions = async (ids: number[]) =>
    (await test.board.database.post.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } })).map(
      ({ revision }) => revision,
    );
  const poolsOf = async (id: number): Promise<string> =>
    (await test.anonymous.get(`/posts/${id}.json`)).json.pool_string;

  it("is replaced without writing the posts, all of which show it", async () => {
    const ids = await copyPost(test, posts[0], 2_400);
    const [before, after] = [ids.slice(0, 1_200), ids.slice(1_200)];
    const id = await create({ post_ids: before.join(" ") });
    const [first, last] = [ids[0] as number, ids.at(-1) as number];
    expect([await poolsOf(first), await poolsOf(last)]).toEqual([`pool:${id}`, ""]);
    const written = await revisions(ids);
    expect((await edit(id, { post_ids: after.join(" ") })).status).toBe(200);
    expect(await revisions(ids)).toEqual(written);
    expect([await poolsOf(first), await poolsOf(last)]).toEqual(["", `pool:${id}`]);
    expect((await test.anonymous.get("/counts/posts.json", { tags: `pool:${id}` })).json.counts.posts).toBe(1_200);
  });
});
