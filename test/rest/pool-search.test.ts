import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let creator: TestUser;
let janitor: TestUser;
let posts: number[];
/** In the order in which they were made; `gone` is deleted. */
const ids: Record<"beta" | "alpha" | "gamma" | "gone", number> = { beta: 0, alpha: 0, gamma: 0, gone: 0 };

beforeAll(async () => {
  test = await startBoard();
  creator = await test.make.user();
  janitor = await test.make.user("Janitor");
  posts = [(await test.make.post()).id, (await test.make.post()).id];
  const make = async (by: TestUser, pool: Params) => (await by.client.post("/pools.json", { pool })).json.id as number;
  ids.beta = await make(creator, { name: "beta boats", description: "Sailing 100% by night", post_ids: posts });
  ids.alpha = await make(janitor, {
    name: "Alpha",
    description: "Walking",
    category: "collection",
    post_ids: posts[1],
  });
  ids.gamma = await make(creator, { name: "gamma_boats", description: "x", is_active: "0" });
  ids.gone = await make(creator, { name: "gone", description: "sail" });
  await creator.client.put(`/pools/${ids.beta}.json`, { pool: { description: "Sailing 100% by day" } });
  await janitor.client.delete(`/pools/${ids.gone}.json`);
});
afterAll(() => test[Symbol.asyncDispose]());

async function found(search: Params = {}, more: Params = {}, client: Client = test.anonymous): Promise<string[]> {
  const { status, json } = await client.get("/pools.json", { search, ...more });
  expect(status).toBe(200);
  return (json as { id: number }[]).map(({ id }) => Object.entries(ids).find(([, each]) => each === id)?.[0] ?? "?");
}

describe("GET /pools.json", () => {
  it("lists the newest first, without deleted pools", async () => {
    expect(await found()).toEqual(["gamma", "alpha", "beta"]);
  });

  it("deleted pools need a search; Janitors see them among the others", async () => {
    expect(await found({ is_deleted: "true" })).toEqual(["gone"]);
    expect(await found({ is_deleted: "false" }, {}, janitor.client)).toEqual(["gamma", "alpha", "beta"]);
    expect(await found({}, {}, janitor.client)).toEqual(["gone", "gamma", "alpha", "beta"]);
    expect(await found({}, {}, (await test.make.user("Contributor")).client)).toEqual(["gamma", "alpha", "beta"]);
    expect((await test.anonymous.get(`/pools/${ids.gone}.json`)).json).toMatchObject({
      name: "gone",
      is_deleted: true,
    });
  });

  it.each<[Params, string[]]>([
    [{ name_matches: "ETA b" }, ["beta"]],
    [{ name_matches: "BOATS" }, ["gamma", "beta"]],
    [{ name_matches: "*boats" }, ["gamma", "beta"]],
    [{ name_matches: "boats*" }, []],
    [{ name_matches: "%" }, []],
    [{ name_matches: "" }, ["gamma", "alpha", "beta"]],
    [{ name: "Beta Boats" }, ["beta"]],
    [{ name: "boats" }, []],
    [{ description_matches: "100% BY" }, ["beta"]],
    [{ description_matches: "sail*day" }, ["beta"]],
    [{ description_matches: "100_" }, []],
    [{ is_active: "false" }, ["gamma"]],
    [{ is_active: "yes" }, ["alpha", "beta"]],
    [{ category: "collection" }, ["alpha"]],
    [{ category: "SERIES" }, ["gamma", "beta"]],
    [{ creator_name: "nobody_at_all" }, []],
    [{ id: "garbage" }, []],
  ])("%j finds %j", async (search, names) => {
    expect(await found(search)).toEqual(names);
  });

  it("finds by creator, id and posts", async () => {
    expect(await found({ creator_name: creator.name.toUpperCase() })).toEqual(["gamma", "beta"]);
    expect(await found({ creator_id: creator.id })).toEqual(["gamma", "beta"]);
    expect(await found({ id: `${ids.alpha},${ids.beta},${ids.gone}` })).toEqual(["alpha", "beta"]);
    expect(await found({ post_ids_include_all: `${posts[1]} ${posts[0]}` })).toEqual(["beta"]);
    expect(await found({ post_ids_include_all: String(posts[1]) })).toEqual(["alpha", "beta"]);
    expect(await found({ post_ids_include_all: "x" })).toEqual([]);
  });

  it.each([
    ["name", ["alpha", "beta", "gamma"]],
    ["created_at", ["gamma", "alpha", "beta"]],
    ["post_count", ["beta", "alpha", "gamma"]],
    ["date", ["beta", "gamma", "alpha"]],
    ["updated_at", ["beta", "gamma", "alpha"]],
  ])("search[order]=%s and search[sort] are %j", async (order, names) => {
    expect(await found({ order })).toEqual(names);
    expect(await found({ sort: order })).toEqual(names);
  });

  it("pages by number and by id", async () => {
    expect(await found({}, { limit: 1, page: 2 })).toEqual(["alpha"]);
    expect(await found({ order: "name" }, { limit: 2, page: 2 })).toEqual(["gamma"]);
    expect(await found({}, { page: `b${ids.gamma}` })).toEqual(["alpha", "beta"]);
    expect(await found({}, { page: `a${ids.beta}`, limit: 1 })).toEqual(["alpha"]);
  });

  it("424 for an unknown order, category or too deep a page", async () => {
    const refusal = async (params: Params) => {
      const { status, json } = await test.anonymous.get("/pools.json", params);
      return [status, json.reason] as [number, string];
    };
    expect(await refusal({ search: { order: "size" } })).toEqual([
      424,
      "search[order] must be one of name, created_at, post_count, date",
    ]);
    expect(await refusal({ search: { category: "x" } })).toEqual([
      424,
      "search[category] must be one of series, collection",
    ]);
    expect((await refusal({ page: 1001 }))[0]).toBe(424);
  });

  it("has posts as an array in XML", async () => {
    const { text } = await test.anonymous.get(`/pools/${ids.alpha}.xml`, { only: "id,name,post_ids,is_active" });
    expect(text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><pool><id type="integer">${ids.alpha}</id><name>Alpha</name>` +
        `<is-active type="boolean">true</is-active><post-ids type="array"><post-id type="integer">${posts[1]}</post-id>` +
        `</post-ids></pool>`,
    );
    const list = await test.anonymous.get("/pools.xml", { search: { name: "nothing" } });
    expect(list.text).toBe('<?xml version="1.0" encoding="UTF-8"?><pools type="array"/>');
  });
});

describe("GET /pools/{id}.json", () => {
  it("404 for an unknown pool", async () => {
    expect((await test.anonymous.get("/pools/999999.json")).status).toBe(404);
  });
});

describe("GET /pool_versions.json", () => {
  const list = async (search: Params, more: Params = {}) =>
    ((await test.anonymous.get("/pool_versions.json", { search, ...more })).json as Params[]).map((each) => [
      each.pool_id,
      each.version,
    ]);

  it("finds by pool, updater and id, newest first", async () => {
    expect(await list({ pool_id: ids.beta })).toEqual([
      [ids.beta, 2],
      [ids.beta, 1],
    ]);
    expect(await list({ pool_id: ids.beta }, { limit: 1, page: 2 })).toEqual([[ids.beta, 1]]);
    const byJanitor = [
      [ids.gone, 2],
      [ids.alpha, 1],
    ];
    expect(await list({ updater_id: janitor.id })).toEqual(byJanitor);
    expect(await list({ updater_name: janitor.name.toUpperCase() })).toEqual(byJanitor);
    expect(await list({ updater_name: "nobody_at_all" })).toEqual([]);
  });

  it("returns one; 404 for an unknown one; XML lists pool-version elements", async () => {
    const { json } = await test.anonymous.get("/pool_versions.json", { search: { pool_id: ids.alpha } });
    const one = await test.anonymous.get(`/pool_versions/${json[0].id}.json`);
    expect(one.json).toEqual(json[0]);
    expect(Object.keys(json[0]).sort()).toEqual(
      [
        ..."id pool_id version updater_id updater_name post_ids added_post_ids removed_post_ids name name_changed".split(
          " ",
        ),
        ..."description description_changed category is_active is_deleted created_at updated_at".split(" "),
      ].sort(),
    );
    expect((await test.anonymous.get("/pool_versions/999999.json")).status).toBe(404);
    const { xml } = await test.anonymous.get("/pool_versions.xml", { search: { pool_id: ids.alpha } });
    expect([xml?.name, xml?.elements?.map((each) => each.name)]).toEqual(["pool-versions", ["pool-version"]]);
  });
});
