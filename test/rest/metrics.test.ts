/** `GET /metrics` after real requests. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFINITIONS } from "../../src/runtime/telemetry/definitions.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { holdTable, PATIENCE } from "../support/held-table.js";
import { growth, type Labels, type Sample, sample } from "../support/metrics.js";
import { get, RawClient } from "../support/raw-client.js";

let test: TestBoard;
let post: number;
beforeAll(async () => {
  test = await startBoard(PATIENCE);
  post = (await test.make.post("one_tag")).id;
});
afterAll(() => test[Symbol.asyncDispose]());

/** The status of a request that is sent once: `fetch` sends it again after a 421. */
async function ask(url: string, method: string, path: string, body: object): Promise<number> {
  const headers = { "content-type": "application/json" };
  const sent = request(`${url}${path}`, { method, headers });
  sent.end(method === "GET" ? undefined : JSON.stringify(body));
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

describe("GET /metrics", () => {
  it("is Prometheus' text format, version 0.0.4, uncached", async () => {
    const { status, headers } = await test.anonymous.get("/metrics");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("has exactly the metrics of the definitions, with their types", async () => {
    const wanted = Object.values(DEFINITIONS).map(({ name, kind }) => [name, kind]);
    expect((await sample(test.anonymous)).kinds).toEqual(Object.fromEntries(wanted));
  });

  it("has only labels of the definitions", async () => {
    const { values } = await sample(test.anonymous);
    const labels = Object.keys(values).flatMap((series) => [...series.matchAll(/(\w+)="/g)].map(([, label]) => label));
    const explained = Object.values(DEFINITIONS).flatMap((each) => Object.keys(each.labels ?? {}));
    expect([...new Set(labels)].filter((label) => label !== "le" && !explained.includes(label as never))).toEqual([]);
  });

  it("does not count towards the hourly limit", async () => {
    await using limited = await startBoard({ LIMIT_ANONYMOUS: "1" });
    for (let reads = 0; reads < 3; reads += 1) expect((await limited.anonymous.get("/metrics")).status).toBe(200);
    expect((await limited.anonymous.get("/posts.json")).status).toBe(200);
  });
});

describe("requests", () => {
  const counted = "graphbooru_http_requests_total";

  it.each<[string, Labels, () => Promise<unknown>]>([
    [
      "a listing",
      { method: "GET", route: "/posts", status: 200 },
      () => test.anonymous.get("/posts.json?tags=one_tag"),
    ],
    ["a record", { method: "GET", route: "/posts/:id", status: 200 }, () => test.anonymous.get(`/posts/${post}.xml`)],
    ["no record", { method: "GET", route: "/posts/:id", status: 404 }, () => test.anonymous.get("/posts/999999.json")],
    ["a refusal", { method: "PUT", route: "/posts/:id", status: 403 }, () => test.anonymous.put(`/posts/${post}.json`)],
    [
      "another method than that of the request",
      { method: "DELETE", route: "/comments/:id", status: 403 },
      () => test.anonymous.post("/comments/1.json", { _method: "delete" }),
    ],
    [
      "a name in the place of a number",
      { method: "GET", route: "/wiki_pages/:id", status: 404 },
      () => test.anonymous.get("/wiki_pages/a_title_that_nobody_wrote.json"),
    ],
    [
      "what is refused before it comes to its row",
      { method: "GET", route: "/posts", status: 403 },
      () => test.anonymous.get("/posts.json?login=nobody&api_key=none"),
    ],
    [
      "a head",
      { method: "HEAD", route: "/posts", status: 200 },
      () => test.anonymous.send("/posts.json", { method: "HEAD" }),
    ],
    ["a file", { method: "GET", route: "/data/*", status: 404 }, () => test.anonymous.get("/data/preview/none.jpg")],
    ["health", { method: "GET", route: "/healthz", status: 200 }, () => test.anonymous.get("/healthz")],
    ["GraphQL", { method: "POST", route: "/graphql", status: 200 }, () => test.anonymous.graphql("{ __typename }")],
    [
      "a page",
      { method: "GET", route: "/posts/:id (page)", status: 404 },
      () => test.anonymous.with({ accept: "text/html" }).get("/posts/999999"),
    ],
    [
      "the gallery",
      { method: "GET", route: "/posts (page)", status: 200 },
      () => test.anonymous.with({ accept: "text/html" }).get("/"),
    ],
    ["nothing of ours", { method: "GET", route: "unmatched", status: 404 }, () => test.anonymous.get("/wp-login.php")],
  ])("are counted by method, pattern and status: %s", async (_, labels, work) => {
    expect(await growth(test.anonymous, counted, labels, work)).toBe(1);
  });

  it("are timed in seconds, as many as counted", async () => {
    const labels = { method: "GET", route: "/tags", status: 200 };
    const name = "graphbooru_http_request_duration_seconds";
    expect(await growth(test.anonymous, `${name}_count`, labels, () => test.anonymous.get("/tags.json"))).toBe(1);
    const after = await sample(test.anonymous);
    expect(after.of(`${name}_bucket`, { ...labels, le: "+Inf" })).toBe(after.of(counted, labels));
    expect(after.of(`${name}_bucket`, { ...labels, le: 10 })).toBe(after.of(counted, labels));
    expect(after.of(`${name}_sum`, labels)).toBeGreaterThan(0);
    expect(after.of(`${name}_sum`, labels)).toBeLessThan(10);
  });

  it("are in flight until they are answered, and 499 if the client disconnects first", async () => {
    const name = "graphbooru_http_requests_in_flight";
    expect((await sample(test.anonymous)).of(name)).toBe(1); // this one
    const labels = { method: "GET", route: "/posts", status: 499 };
    const left = await growth(test.anonymous, counted, labels, async () => {
      await using _held = await holdTable(test.board.databaseUrl, "posts");
      using client = await RawClient.connect(test.url);
      client.say(get("/posts.json?tags=left"));
      await expect.poll(async () => (await sample(test.anonymous)).of(name)).toBe(2);
    });
    expect(left).toBe(1);
    expect((await sample(test.anonymous)).of(name)).toBe(1);
  });

  it("to a thousand unknown URLs add one series; unknown methods, names and parameters add none", async () => {
    const seriesOf = ({ values }: Sample) => Object.keys(values).filter((series) => series.startsWith(`${counted}{`));
    await test.anonymous.get("/odd");
    await expect
      .poll(async () => (await sample(test.anonymous)).of(counted, { method: "GET", route: "unmatched", status: 404 }))
      .toBeGreaterThan(0);
    const before = await sample(test.anonymous);
    for (let begin = 0; begin < 1_000; begin += 50) {
      const paths = Array.from({ length: 50 }, (_, index) => `/odd${begin + index}/${begin}.php?x=${index}`);
      await Promise.all(paths.map((path) => test.anonymous.get(path)));
    }
    for (const path of [
      "/posts.html",
      "/POSTS.json",
      "//posts.json",
      "/posts/x.json",
      "/posts/1/2/3.json",
      "/tags/%00.json",
    ])
      await test.anonymous.get(path);
    const labels = { method: "GET", route: "unmatched", status: 404 };
    await expect
      .poll(async () => (await sample(test.anonymous)).of(counted, labels) - before.of(counted, labels))
      .toBe(1_006);
    expect(seriesOf(await sample(test.anonymous))).toEqual(seriesOf(before));
    using client = await RawClient.connect(test.url);
    client.say("PROPFIND /posts.json HTTP/1.1\r\nHost: board\r\n\r\n");
    await expect
      .poll(async () =>
        (await sample(test.anonymous)).of(counted, { method: "OTHER", route: "unmatched", status: 404 }),
      )
      .toBe(1);
  });
});

describe("GraphQL operations", () => {
  const counted = "graphbooru_graphql_operations_total";

  it.each<[string, string, Labels]>([
    ["one root field", "query Named { tags { nodes { id } } }", { kind: "query", field: "tags", outcome: "ok" }],
    ["the field, not its alias", "{ mine: users { nodes { id } } }", { kind: "query", field: "users", outcome: "ok" }],
    ["several", "{ tags { nodes { id } } posts { nodes { id } } }", { kind: "query", field: "several", outcome: "ok" }],
    ["introspection", "{ __schema { types { name } } }", { kind: "query", field: "__schema", outcome: "ok" }],
    [
      "a refused mutation",
      "mutation { deleteComment(input: { id: 1 }) { comment { id } } }",
      { kind: "mutation", field: "deleteComment", outcome: "failed" },
    ],
    ["what is not valid", "{ nothingLikeThis }", { kind: "invalid", field: "none", outcome: "failed" }],
    ["what can't be read", "{", { kind: "invalid", field: "none", outcome: "failed" }],
  ])("are counted by kind and root field, and timed: %s", async (_, document, { outcome, ...labels }) => {
    const work = () => test.anonymous.graphql(document);
    expect(await growth(test.anonymous, counted, { ...labels, outcome: outcome as string }, work)).toBe(1);
    expect(await growth(test.anonymous, "graphbooru_graphql_operation_duration_seconds_count", labels, work)).toBe(1);
  });

  it("contain no names chosen by clients", async () => {
    await test.anonymous.graphql("query MarkedName { markedAlias: tags { nodes { markedField: id } } }");
    await test.anonymous.graphql("{ markedUnknown }");
    expect((await sample(test.anonymous)).text).not.toMatch(/marked/i);
  });
});

describe("failures", () => {
  const counted = "graphbooru_failures_total";

  it("are present at 0 before the first one", async () => {
    await using fresh = await startBoard();
    const { text } = await sample(fresh.anonymous);
    for (const series of [
      'status="421",reason="hourly_limit"',
      'status="503",reason="overloaded"',
      'status="500",reason="internal"',
    ])
      expect(text).toContain(`${counted}{${series}} 0\n`);
  });

  it("are counted by name, in REST and GraphQL alike", async () => {
    const labels = { status: 403, reason: "login_required" };
    const mutation = "mutation { deleteComment(input: { id: 1 }) { comment { id } } }";
    expect(await growth(test.anonymous, counted, labels, () => test.anonymous.delete("/comments/1.json"))).toBe(1);
    expect(await growth(test.anonymous, counted, labels, () => test.anonymous.graphql(mutation))).toBe(1);
    const invalid = { status: 424, reason: "invalid_query" };
    expect(await growth(test.anonymous, counted, invalid, () => test.anonymous.graphql("{ nothingLikeThis }"))).toBe(1);
  });

  it("distinguish the limits: sign-ups, password guesses, hourly requests", async () => {
    const limits = { LIMIT_ANONYMOUS: "4", LOGIN_ATTEMPTS_PER_HOUR: "1", ACCOUNTS_PER_HOUR: "1" };
    await using limited = await startBoard(limits);
    await limited.make.user("Member", "Alma");
    const signUp = (name: string) => ["POST", "/users.json", { user: { name, password: "long enough" } }] as const;
    const guess = ["POST", "/session.json", { name: "Alma", password: "wrong" }] as const;
    const asked = [signUp("first"), signUp("second"), guess, guess, ["GET", "/posts.json", {}] as const];
    const statuses: number[] = [];
    for (const [method, path, body] of asked) statuses.push(await ask(limited.url, method, path, body));
    statuses.push(await ask(limited.url, "POST", "/graphql", { query: "{ __typename }" }));
    expect(statuses).toEqual([200, 421, 403, 421, 421, 421]);
    const metrics = await sample(limited.anonymous);
    expect(metrics.of(counted, { status: 421, reason: "sign_up_limit" })).toBe(1);
    expect(metrics.of(counted, { status: 421, reason: "login_attempts" })).toBe(1);
    expect(metrics.of(counted, { status: 421, reason: "hourly_limit" })).toBe(2);
    expect(metrics.of(counted, { status: 403, reason: "authentication_failed" })).toBe(1);
  });

  it("count overload: concurrent requests and database connections, also reported during it", async () => {
    await using small = await startBoard({ MAX_REQUESTS: "1", ...PATIENCE });
    const table = await holdTable(small.board.databaseUrl, "posts");
    const held = small.anonymous.get("/posts.json");
    const inFlight = async () => (await sample(small.anonymous)).of("graphbooru_http_requests_in_flight");
    await expect.poll(inFlight).toBe(2);
    expect((await small.anonymous.get("/tags.json")).status).toBe(503);
    expect((await sample(small.anonymous)).of(counted, { status: 503, reason: "overloaded" })).toBe(1);
    await table[Symbol.asyncDispose]();
    expect((await held).status).toBe(200);
  });

  it("count refused connections", async () => {
    await using small = await startBoard({ MAX_CONNECTIONS: "2", ...PATIENCE });
    const table = await holdTable(small.board.databaseUrl, "tags");
    const [first, second] = await RawClient.crowd(small.url, 2);
    first?.say(get("/tags.json?search[name]=first"));
    second?.say(get("/tags.json?search[name]=second"));
    await expect.poll(() => table.waiting()).toBe(2);
    using third = await RawClient.connect(small.url);
    await expect.poll(() => third.status).toBe(503);
    await table[Symbol.asyncDispose]();
    await expect.poll(() => [first?.status, second?.status]).toEqual([200, 200]);
    first?.[Symbol.dispose]();
    second?.[Symbol.dispose]();
    expect((await sample(small.anonymous)).of("graphbooru_connections_refused_total")).toBe(1);
  });
});
