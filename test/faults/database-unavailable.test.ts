/** The database is disconnected, or stops responding: the board refuses requests quickly, and recovers when it is back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import type { TestUser } from "../support/factory.js";
import { CutProxy } from "../support/cut-proxy.js";
import { approve, statusOf } from "../support/jobs.js";
import { times } from "../support/processes.js";
import { filesOf } from "../support/traces.js";

const REASON = "the server cannot handle the request now; try again later";

let database: TestDatabase;
let proxy: CutProxy;
let test: TestBoard;
let member: TestUser;
let admin: TestUser;
let post: number;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await CutProxy.open(database.url);
  test = await startBoard({
    DATABASE_URL: proxy.url,
    DATABASE_WAIT_MS: "1000",
    STATEMENT_TIMEOUT_MS: "1000",
    LIMITS_STORE: "postgres",
    JOBS: "true",
  });
  member = await test.make.user("Contributor");
  admin = await test.make.user("Admin");
  post = (await test.make.post("kitten")).id;
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await database.drop();
});

/** Reads and writes of every kind, by both APIs. */
const asked: [string, () => Promise<Answer>][] = [
  ["GET /posts.json", () => test.anonymous.get("/posts.json", { tags: "kitten" })],
  ["GET /posts.json?random=true", () => test.anonymous.get("/posts.json", { random: true })],
  ["GET /tags.json", () => test.anonymous.get("/tags.json")],
  ["GET /profile.json", () => member.client.get("/profile.json")],
  ["POST /comments.json", () => member.client.post("/comments.json", { comment: { post_id: post, body: "words" } })],
  ["PUT /posts/{id}.json", () => member.client.put(`/posts/${post}.json`, { post: { tag_string: "kitten cat" } })],
  ["POST /posts/{id}/votes.json", () => member.client.post(`/posts/${post}/votes.json`, { score: "up" })],
  ["POST /uploads.json", () => test.make.upload(member)],
  ["POST /session.json", () => test.anonymous.post("/session.json", { name: member.name, password: member.password })],
  [
    "POST /users.json",
    () => test.anonymous.post("/users.json", { user: { name: "newcomer", password: "a password" } }),
  ],
];

/** That everything is refused as it should be. @param patience milliseconds in which each answer comes */
async function expectRefusals(patience: number): Promise<void> {
  const began = performance.now();
  const answers = await Promise.all(
    asked.map(async ([name, ask]) => {
      const { status, json, headers } = await ask();
      return [name, status, json.reason as string, Number(headers.get("retry-after")) > 0];
    }),
  );
  expect(answers).toEqual(asked.map(([name]) => [name, 503, REASON, true]));
  const graphql = await test.anonymous.graphql("{ posts { nodes { id } } }");
  expect(graphql.json.errors[0]).toMatchObject({ message: REASON, extensions: { status: 503 } });
  expect(performance.now() - began).toBeLessThan(patience);
  expect(await test.anonymous.get("/readyz")).toMatchObject({ status: 503, json: { status: "database unavailable" } });
  expect((await test.anonymous.get("/healthz")).status).toBe(200);
}

async function expectService(): Promise<void> {
  await expect.poll(async () => (await test.anonymous.get("/readyz")).status).toBe(200);
  const statuses = await times(20, async () => (await test.anonymous.get("/posts.json")).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await test.make.upload(member)).status).toBe(200);
}

/** An upload on its own leaves an original and a preview; a refused one nothing. */
const fileCount = async () => (await filesOf(test)).length;

describe("a database that is unavailable", () => {
  it("gives 503 with Retry-After for everything but /healthz, and leaves no file behind", async () => {
    const files = await fileCount();
    await proxy.cut();
    await expectRefusals(15_000);
    expect(await fileCount()).toBe(files);
    await proxy.open();
    await expectService();
    expect(await fileCount()).toBe(files + 2);
  });

  it("is recovered from when it is back: jobs run, and subscriptions receive events", async () => {
    await proxy.cut();
    await proxy.open();
    await expectService();
    const id = await approve(admin, "Alias", "kitten", "young_cat");
    await expect.poll(() => statusOf(test, "Alias", id), { timeout: 30_000 }).toBe("active");
    const subscriber = createClient({
      url: `${test.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      lazy: false,
    });
    const events = subscriber.iterate<{ postCreated: { id: number } }>({
      query: "subscription { postCreated { id } }",
    });
    const heard = events.next();
    let done = false;
    void heard.then(() => (done = true));
    // events of the time between are lost, so the next ones are asked for until one is heard
    await expect.poll(async () => (await test.make.upload(member)) && done, { interval: 300 }).toBe(true);
    expect((await heard).value?.data?.postCreated.id).toBeGreaterThan(0);
    await subscriber.dispose();
  });
});

describe("a database that stops responding", () => {
  it("gives 503 in bounded time too, and nothing hangs when it responds again", async () => {
    proxy.silence(true);
    await expectRefusals(40_000);
    proxy.silence(false);
    await expectService();
  });

  it("does not keep a server from stopping", { timeout: 60_000 }, async () => {
    await using other = await CutProxy.open(database.url);
    const server = await startBoard({ DATABASE_URL: other.url });
    expect((await server.anonymous.get("/posts.json")).status).toBe(200);
    other.silence(true);
    const began = performance.now();
    await server[Symbol.asyncDispose]();
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
