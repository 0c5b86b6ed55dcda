/** One GraphQL request can't replace many REST requests: the hourly limit counts the cost of a query. */
import { getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";

const LIMIT = 20;

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard({ LIMIT_ANONYMOUS: "100000", TRUST_PROXY: "1", LIMIT_MEMBER: String(LIMIT) });
});
afterAll(() => test[Symbol.asyncDispose]());

const aliased = (count: number, field: string): string =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(" ")} }`;

const costOf = ({ json }: Answer) => (json as { extensions: { cost: unknown } }).extensions.cost;
const left = ({ headers }: Answer): number => Number(headers.get("x-ratelimit-remaining"));

describe("a query counts as", () => {
  it.each([
    ["one, for one field of little cost", "{ posts(first: 20) { nodes { id score } } }", 81, 1],
    ["one for each root field", aliased(9, "posts(first: 1) { totalCount }"), 27, 9],
    ["one for each root field in fragments, once where they are the same", FRAGMENTS(), 7, 3],
    ["one for every 500 of its cost", "{ posts(first: 100) { nodes { id rating score md5 fileExt source } } }", 801, 2],
    ["three, for 60 comments as HTML", "{ comments(first: 60) { nodes { bodyHtml } } }", 1021, 3],
    ["four for each look at the schema", aliased(2, "__schema { types { name } }"), 4000, 8],
    ["four for another look at a part of it", "{ __schema { a: types { name } types { kind } } }", 4000, 8],
    ["four, as the standard question about the schema", getIntrospectionQuery(), 2000, 4],
  ])("%s", async (_, query, requested, requests) => {
    const { client } = await test.make.user();
    const answer = await client.graphql(query);
    expect([answer.status, costOf(answer)]).toEqual([200, { requested, limit: 5000, requests }]);
    expect(left(answer)).toBe(LIMIT - requests);
  });

  it("one request per mutation: fifty votes are fifty requests", async () => {
    const { client } = await test.make.user();
    const { id } = await test.make.post();
    const vote = `createPostVote(input: {postId: ${id}, score: UP}) { __typename }`;
    const answer = await client.graphql(`mutation ${aliased(LIMIT + 1, vote)}`);
    expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([421, "THROTTLED"]);
    expect((await test.anonymous.get(`/posts/${id}.json`)).json.score).toBe(0);
  });

  it("one request per 500 points, however it is sent: the most expensive query allowed is ten requests", async () => {
    const { client } = await test.make.user();
    const fields = Array.from({ length: 47 }, (_, index) => `f${index}: id`).join(" ");
    const answer = await client.graphql(`{ posts(first: 100) { nodes { ${fields} } } }`);
    expect(costOf(answer)).toEqual({ requested: 4901, limit: 5000, requests: 10 });
  });
});

describe("a search of posts", () => {
  it.each([
    ["limit:100", "", 20],
    ["random:100", "", 20],
    ["limit:3", "", 3],
    ["limit:100", "first: 22", 22],
  ])("has no more posts than it was priced for: %s %s", async (tags, first, posts) => {
    for (let count = await test.board.database.post.count(); count < 23; count += 1) await test.make.post();
    const { json } = await test.anonymous.graphql(`{ posts(tags: "${tags}" ${first}) { nodes { id } } }`);
    expect(json.data.posts.nodes.length).toBe(posts);
    const rest = await test.anonymous.get("/posts.json", { tags: "limit:23", only: "id" });
    expect((rest.json as object[]).length).toBe(23);
  });
});

/** `viewer` twice, which is one field, and two others. */
function FRAGMENTS(): string {
  return `{ viewer { id } ...A } fragment A on Query { viewer { id } ... { b: viewer { id } } c: __typename }`;
}

describe("a query that exceeds the rest of the hour", () => {
  it("is 421 before anything runs, reports its cost, and counts once", async () => {
    const { client } = await test.make.user();
    for (let count = 0; count < 15; count += 1) await client.get("/tags.json");
    const refused = await client.graphql(aliased(6, "posts(first: 1) { totalCount }"));
    expect([refused.status, refused.json.data, left(refused)]).toEqual([421, undefined, LIMIT - 16]);
    expect(refused.json.errors[0]).toMatchObject({
      message: `hourly limit of ${LIMIT} requests exceeded`,
      extensions: { code: "THROTTLED", status: 421 },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3500);
    expect(costOf(refused)).toEqual({ requested: 18, limit: 5000, requests: 6 });
    const smaller = await client.graphql(aliased(4, "posts(first: 1) { totalCount }"));
    expect([smaller.status, left(smaller)]).toEqual([200, 0]);
    expect((await client.get("/tags.json")).status).toBe(421);
  });

  it("is refused as well when many are sent concurrently", async () => {
    const { client } = await test.make.user();
    const query = aliased(8, "posts(first: 1) { totalCount }");
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.graphql(query)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2);
  });
});

describe("persisted queries", () => {
  /** One that the server is to remember, of almost 100 kB. */
  const ask = async (name: string, sent: boolean) => {
    const query = `{ ${name}: viewer { id } } #${name.repeat(90_000 / name.length)}`;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(query));
    const persistedQuery = { version: 1, sha256Hash: Buffer.from(digest).toString("hex") };
    const body = { extensions: { persistedQuery }, ...(sent ? { query } : {}) };
    const { json } = await test.anonymous.json("POST", "/graphql", body);
    return json.errors?.[0].extensions.code ?? "answered";
  };

  it("are cached up to five megabytes, then the oldest is dropped", async () => {
    expect([await ask("first", true), await ask("first", false)]).toEqual(["answered", "answered"]);
    for (let count = 1; count <= 60; count += 1) await ask(`q${count}`, true);
    expect([await ask("q60", false), await ask("first", false)]).toEqual(["answered", "PERSISTED_QUERY_NOT_FOUND"]);
  });

  it("cost the same as others", async () => {
    const { client } = await test.make.user();
    const query = aliased(5, "posts(first: 1) { totalCount }");
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(query));
    const persistedQuery = { version: 1, sha256Hash: Buffer.from(digest).toString("hex") };
    await client.json("POST", "/graphql", { query, extensions: { persistedQuery } });
    expect(left(await client.json("POST", "/graphql", { extensions: { persistedQuery } }))).toBe(LIMIT - 10);
  });
});
