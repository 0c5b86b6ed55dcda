/** Traces as a collector receives them: the request, its parts with their durations, and the parent trace. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.js";
import { query } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import { Collector, type ReceivedSpan } from "../support/collector.js";
import { holdTable, PATIENCE } from "../support/held-table.js";
import { get, RawClient } from "../support/raw-client.js";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const [SERVER, CLIENT, CONSUMER, INTERNAL] = [2, 3, 5, 1];

/** Settings of a board that traces. */
const tracedBy = (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: "50" });

let collector: Collector;
let test: TestBoard;
let post: number;
beforeAll(async () => {
  collector = await Collector.start();
  test = await startBoard({
    ...PATIENCE,
    ...tracedBy(collector.url),
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=board%201,authorization=Bearer abc",
    OTEL_SERVICE_NAME: "my-board",
  });
  post = (await test.make.post("one_tag")).id;
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});

/** The span of the request that was answered so. */
async function spanOf({ headers }: Answer): Promise<ReceivedSpan> {
  const id = headers.get("x-request-id");
  const find = () => collector.spans.find(({ attributes }) => attributes["graphbooru.request.id"] === id);
  await expect.poll(find).toBeDefined();
  return find() as ReceivedSpan;
}

const childrenOf = ({ spanId }: ReceivedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);

describe("a request", () => {
  it("is one span, named by method and pattern, with the conventions' attributes", async () => {
    const span = await spanOf(await test.anonymous.get(`/posts/${post}.json?only=id`));
    expect(span).toMatchObject({ name: "GET /posts/:id", kind: SERVER, parentSpanId: "", status: 0 });
    expect(span.attributes).toEqual({
      "http.request.method": "GET",
      "url.path": `/posts/${post}.json`,
      "url.scheme": "http",
      "network.protocol.version": "1.1",
      "http.route": "/posts/:id",
      "http.response.status_code": 200,
      "graphbooru.request.id": expect.any(String) as string,
    });
    expect(span.resource).toMatchObject({ "service.name": "my-board", "process.pid": process.pid });
  });

  it("has its SQL statements in it, with their texts and without their values", async () => {
    const span = await spanOf(await test.anonymous.get("/posts.json?tags=one_tag%20fav:marked_value"));
    const statements = childrenOf(span);
    expect(statements.length).toBeGreaterThan(0);
    for (const each of statements) {
      expect(each).toMatchObject({ kind: CLIENT, traceId: span.traceId });
      expect(each.attributes).toMatchObject({ "db.system.name": "postgresql", "db.operation.name": each.name });
      expect(each.attributes["db.query.text"]).toMatch(new RegExp(`^${each.name}\\b`));
    }
    const texts = statements.map(({ attributes }) => String(attributes["db.query.text"])).join("\n");
    expect(texts).toContain("FROM posts");
    expect(texts).not.toContain("marked_value");
  });

  it("has Prisma's statements, and those of a transaction", async () => {
    const [user, other] = [await test.make.user("Member"), await test.make.user("Member")];
    const dmail = { to_name: other.name, title: "traced", body: "text" };
    const answer = await user.client.post("/dmails.json", { dmail });
    const names = childrenOf(await spanOf(answer)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["BEGIN", "INSERT", "COMMIT"]));
  });

  it("is part of the trace in its traceparent", async () => {
    const traced = test.anonymous.with({ traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "vendor=1" });
    expect(await spanOf(await traced.get("/tags.json"))).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  });

  it("is not traced if its traceparent says so", async () => {
    const unsampled = `${TRACE.slice(0, -1)}1`;
    const traced = test.anonymous.with({ traceparent: `00-${unsampled}-${PARENT}-00` });
    await traced.get("/tags.json");
    await spanOf(await test.anonymous.get("/tags.json"));
    expect(collector.spans.filter(({ traceId }) => traceId === unsampled)).toEqual([]);
  });

  it.each([
    "nonsense",
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  ])("starts a new trace for an invalid header: %s", async (traceparent) => {
    const span = await spanOf(await test.anonymous.with({ traceparent }).get("/tags.json"));
    expect(span.parentSpanId).toBe("");
    expect(span.traceId).not.toBe(TRACE);
  });

  it("has no route for an unknown path, and is an error on a 500 or if the client disconnected", async () => {
    const nowhere = await spanOf(await test.anonymous.get("/nowhere"));
    expect(nowhere).toMatchObject({ name: "GET unmatched", status: 0 });
    expect(nowhere.attributes["http.route"]).toBeUndefined();
    expect(nowhere.attributes["http.response.status_code"]).toBe(404);
    {
      await using table = await holdTable(test.board.databaseUrl, "posts");
      using client = await RawClient.connect(test.url);
      client.say(get("/posts.json?tags=left"));
      await expect.poll(() => table.waiting()).toBe(1);
    }
    const left = () => collector.spans.find(({ attributes }) => attributes["error.type"] === "499");
    await expect.poll(left).toMatchObject({ name: "GET /posts", status: 2 });
  });

  it("has its trace id in the log", async () => {
    const answer = await test.anonymous.get("/posts.json");
    const span = await spanOf(answer);
    const id = answer.headers.get("x-request-id");
    const line = test.log.find(({ req }) => (req as { id?: string } | undefined)?.id === id);
    expect(line).toMatchObject({ trace_id: span.traceId, route: "/posts" });
  });

  it("contains no keys, passwords, addresses and search terms", async () => {
    const user = await test.make.user("Member", "MarkedName");
    await test.anonymous.get("/posts.json", { login: "MarkedName", api_key: user.apiKey, tags: "marked_tag" });
    await test.anonymous.post("/session.json", { name: "MarkedName", password: "marked password" });
    await spanOf(await user.client.get("/profile.json"));
    const exported = JSON.stringify(collector.spans);
    expect(exported).not.toMatch(/marked|127\.0\.0\.1|Basic /i);
    expect(exported).not.toContain(user.apiKey);
  });
});

describe("a GraphQL operation", () => {
  it("is a span within the request's, with its statements in it", async () => {
    const document = "query Mine { posts(first: 1) { nodes { id } } }";
    const span = await spanOf(await test.anonymous.graphql(document));
    expect(span.name).toBe("POST /graphql");
    const [operation] = childrenOf(span).filter(({ kind }) => kind === INTERNAL);
    expect(operation).toMatchObject({ name: "query posts", traceId: span.traceId, status: 0 });
    expect(operation?.attributes).toEqual({ "graphql.operation.type": "query", "graphql.operation.name": "Mine" });
    expect(childrenOf(operation as ReceivedSpan).map(({ name }) => name)).toContain("WITH");
  });

  it("is an error if the response has errors", async () => {
    const span = await spanOf(
      await test.anonymous.graphql("mutation { deleteComment(input: { id: 1 }) { comment { id } } }"),
    );
    expect(childrenOf(span).find(({ kind }) => kind === INTERNAL)).toMatchObject({
      name: "mutation deleteComment",
      status: 2,
    });
  });
});

describe("a job", () => {
  it("is a trace with its statements, an error if it failed", async () => {
    await using working = await startBoard({ JOBS: "true", ...tracedBy(collector.url) });
    await query(working.board.databaseUrl, "SELECT graphile_worker.add_job('lift_bans')");
    await query(working.board.databaseUrl, "SELECT graphile_worker.add_job('recount_tag_category', '{}')");
    const find = (name: string) => collector.spans.find((span) => span.name === name);
    await expect
      .poll(() => find("job lift_bans"))
      .toMatchObject({
        kind: CONSUMER,
        parentSpanId: "",
        status: 0,
        attributes: { "graphbooru.job.task": "lift_bans", "graphbooru.job.attempt": 1 },
      });
    expect(childrenOf(find("job lift_bans") as ReceivedSpan).length).toBeGreaterThan(0);
    await expect
      .poll(() => find("job recount_tag_category"))
      .toMatchObject({ status: 2, attributes: { "error.type": "TypeError" } });
    await query(working.board.databaseUrl, "UPDATE graphile_worker._private_jobs SET run_at = now()");
    const attempts = () =>
      collector.spans
        .filter(({ name }) => name === "job recount_tag_category")
        .map(({ attributes }) => attributes["graphbooru.job.attempt"]);
    await expect.poll(attempts).toEqual([1, 2]);
  });
});

describe("the collector", () => {
  it("receives batches at /v1/traces, with the configured headers", async () => {
    await spanOf(await test.anonymous.get("/tags.json"));
    const [{ path: sentTo, headers } = { path: "", headers: {} }] = collector.requests;
    expect(sentTo).toBe("/v1/traces");
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "x-tenant": "board 1",
      authorization: "Bearer abc",
    });
  });

  it("receives the rest when the board is closed", async () => {
    const brief = await startBoard({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });
    const { headers } = await brief.anonymous.get("/wiki_pages.json");
    await brief[Symbol.asyncDispose]();
    const id = headers.get("x-request-id");
    expect(collector.spans.map(({ attributes }) => attributes["graphbooru.request.id"])).toContain(id);
  });

  it("may be unreachable or refuse: requests are not affected, the log says so once, and closing does not wait", async () => {
    await using refusing = await Collector.start();
    refusing.status = 400;
    for (const endpoint of [refusing.url, "http://127.0.0.1:1"]) {
      const board = await startBoard(tracedBy(endpoint));
      for (let count = 0; count < 20; count += 1) expect((await board.anonymous.get("/tags.json")).status).toBe(200);
      const began = Date.now();
      await board[Symbol.asyncDispose]();
      expect(Date.now() - began).toBeLessThan(15_000);
    }
    expect(refusing.requests.length).toBeGreaterThan(0);
  });

  it("that refuses is logged at most once a minute", async () => {
    await using refusing = await Collector.start();
    refusing.status = 400;
    await using board = await startBoard(tracedBy(refusing.url));
    const warnings = () => board.log.filter(({ msg }) => msg === "traces could not be sent");
    const ask = async () => {
      await board.anonymous.get("/tags.json");
      return refusing.requests.length;
    };
    await expect.poll(ask).toBeGreaterThan(2);
    expect(warnings()).toHaveLength(1);
  });

  it("receives the share of traces in OTEL_TRACES_SAMPLER_ARG", async () => {
    await using sparing = await Collector.start();
    const board = await startBoard({ ...tracedBy(sparing.url), OTEL_TRACES_SAMPLER_ARG: "0" });
    await board.anonymous.get("/tags.json");
    await board.anonymous.with({ traceparent: `00-${TRACE}-${PARENT}-01` }).get("/tags.json");
    await board[Symbol.asyncDispose]();
    expect([...new Set(sparing.spans.map(({ traceId }) => traceId))]).toEqual([TRACE]);
  });
});

describe("the settings", () => {
  it.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "no pair"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
    ["OTEL_BSP_SCHEDULE_DELAY", "soon"],
  ])("are refused at start if invalid: %s=%s", (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(`${name}: `);
  });
});

describe("without OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  it("there are no traces and no trace ids", async () => {
    await using silent = await startBoard();
    await silent.anonymous.with({ traceparent: `00-${TRACE}-${PARENT}-01` }).get("/tags.json");
    expect(silent.board.telemetry.tracing).toBeNull();
    expect(JSON.stringify(silent.log)).not.toContain("trace_id");
  });

  it("OpenTelemetry is not loaded: one file imports it, and one place loads that on demand", () => {
    const source = path.resolve(import.meta.dirname, "../..");
    const files = ["src", "graphql", "rest"].flatMap((folder) =>
      readdirSync(path.join(source, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => `${folder}/${name}`),
    );
    const having = (text: string) =>
      files.filter((file) => readFileSync(path.join(source, file), "utf8").includes(text));
    expect(having('"@opentelemetry/')).toEqual(["src/runtime/telemetry/otlp.ts"]);
    expect(having("otlp.js")).toEqual(["src/runtime/telemetry/tracing.ts"]);
    expect(having('await import("./otlp.js")')).toEqual(["src/runtime/telemetry/tracing.ts"]);
  });
});
