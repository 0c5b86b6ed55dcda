/**
 * Number of SQL statements of a response, on a board of 10,000 posts: the same for lists of any length. The post cache is off, since its content
 * depends on earlier requests, and posts that are not cached take one more.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateBoard } from "../../bench/generate.js";
import { table } from "../../rest/table.js";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { Answer, Client, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

const POSTS = 10_000;
const LIMITS = [1, 20, 100];

/**
 * Most statements of each list, without those of the login: one for the rows. Tags that the process has not met yet
 * take one more where they are shown, and one where they are searched.
 */
const BUDGETS: Record<string, number> = {
  "/posts": 1,
  "/post_versions": 2,
  "/tags": 1,
  "/uploads": 1,
  "/users": 1,
};
/** Finding the user of the credentials. */
const LOGIN = 1;

let test: TestBoard;
let member: TestUser;
beforeAll(async () => {
  test = await startBoard({ GRAPHQL_MAX_COMPLEXITY: "100000", POST_CACHE_BYTES: "0" });
  await generateBoard(test.board.databaseUrl, { posts: POSTS });
  member = await test.make.user();
  for (let count = 0; count < 3; count += 1) await test.make.post("night sky");
});
afterAll(() => test[Symbol.asyncDispose]());

const statements = (answer: Answer): Promise<number> => statementsOf(test, answer.headers.get("x-request-id"));

/** Records in the answer, and the statements that it took. */
async function measure(client: Client, path: string, params: Params): Promise<{ records: number; statements: number }> {
  const answer = await client.get(`${path}.json`, params);
  expect([path, answer.status]).toEqual([path, 200]);
  return { records: (answer.json as unknown[]).length, statements: await statements(answer) };
}

/** The statements for each of the limits. */
async function forEachLimit(client: Client, path: string, params: Params = {}): Promise<number[]> {
  const counts = [];
  for (const limit of LIMITS) counts.push((await measure(client, path, { ...params, limit })).statements);
  return counts;
}

/** `/posts` lists posts; `/profile` and the like are one record. */
const isListOf = (plural: string, path: string): boolean => path.endsWith(`/${plural}`);

const always = (count: number): number[] => LIMITS.map(() => count);

describe("GET /posts.json", () => {
  it.each([
    ["everything", {}, 3],
    ["a common tag", { tags: "long_hair" }, 4],
    ["tags that never meet", { tags: "long_hair short_hair" }, 4],
    ["a wildcard, an exclusion and meta-tags", { tags: "s* -night rating:s score:>1 order:score" }, 5],
    ["an uploader", { tags: "user:generated_1" }, 3],
    ["the second page", { page: 2 }, 3],
    ["the posts before one", { page: "b5000" }, 3],
    // no page that could tell whether what is remembered of tags still holds
    ["a tag that there is not", { tags: "no_such_tag_at_all" }, 2],
  ])("of %s takes at most its budget of statements", async (_name, params, budget) => {
    for (const count of await forEachLimit(test.anonymous, "/posts", params)) expect(count).toBeLessThanOrEqual(budget);
  });

  it.each([
    ["everything", {}, 1],
    ["a tag", { tags: "long_hair" }, 1],
    ["a wildcard, which is looked up each time", { tags: "s*" }, 2],
    ["a tag and a meta-tag", { tags: "long_hair rating:s" }, 1],
    // PostgreSQL has to know the value before it plans
    ["a meta-tag with a range", { tags: "width:>1" }, 2],
  ])("of %s takes the same number for 1, 20 and 100 posts", async (_name, params, count) => {
    expect((await measure(test.anonymous, "/posts", { ...params, limit: 100 })).records).toBe(100);
    expect(await forEachLimit(test.anonymous, "/posts", params)).toEqual(always(count));
  });

  it("takes one more when signed in", async () => {
    expect(await forEachLimit(member.client, "/posts")).toEqual(always(1 + LOGIN));
  });
});

describe("GET of every list", () => {
  it.each(Object.entries(BUDGETS))("%s stays within its budget, with any number of records", async (path, budget) => {
    const { records } = await measure(member.client, path, { limit: 100 });
    expect(records).toBeGreaterThan(1);
    expect(await forEachLimit(member.client, path)).toEqual(always(budget + LOGIN));
  });

  const others = table
    .filter((row) => row.method === "GET" && !row.path.includes(":") && isListOf(row.plural, row.path))
    .map((row) => row.path)
    .filter((path) => !(path in BUDGETS));

  it.each(others)("%s takes at most three", async (path) => {
    const counts = await forEachLimit(member.client, path);
    expect(Math.max(...counts)).toBeLessThanOrEqual(3 + LOGIN);
  });
});

describe("GET of one record", () => {
  it.each([
    ["/posts/5000", 2],
    ["/post_versions/5000", 2],
    ["/tags/1", 1],
    ["/users/1", 2],
  ])("%s takes %i", async (path, count) => {
    const answer = await test.anonymous.get(`${path}.json`);
    expect([answer.status, await statements(answer)]).toEqual([200, count]);
  });
});

describe("GraphQL", () => {
  const NESTED = `query($first: Int!, $tags: String) {
    posts(first: $first, tags: $tags) {
      nodes { id uploader { name } approver { name } tags { name } parent { id tagString } children { id } }
    }
  }`;

  async function nested(first: number, tags: string): Promise<{ records: number; statements: number }> {
    const answer = await test.anonymous.graphql(NESTED, { first, tags });
    expect(answer.json.errors).toBeUndefined();
    return { records: answer.json.data.posts.nodes.length as number, statements: await statements(answer) };
  }

  it("fetches uploaders, approvers, tags, parents and children of all posts together", async () => {
    // posts, users, tags, parents with children, the parents' tags, and names of tags
    expect(await nested(20, "parent:any")).toEqual({ records: 20, statements: 6 });
    expect(await nested(100, "parent:any")).toEqual({ records: 100, statements: 6 });
  });

  it("counts all posts in one statement, and only on request", async () => {
    const without = await test.anonymous.graphql("{ posts { nodes { id } } }");
    const counted = await test.anonymous.graphql("{ posts { totalCount nodes { id } } }");
    expect(counted.json.data.posts.totalCount).toBe(POSTS + 3);
    expect([await statements(without), await statements(counted)]).toEqual([1, 2]);
  });

  it("fetches a record once, however many fields need it", async () => {
    const answer = await test.anonymous.graphql(
      `{ a: user(id: 1) { name } b: user(id: 1) { level } c: user(id: 2) { name } }`,
    );
    expect([answer.json.errors, await statements(answer)]).toEqual([undefined, 1]);
  });
});
