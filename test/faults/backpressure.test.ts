/** More requests and connections than the board accepts, and deliberately slow clients. */
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import type { Decoder } from "../../src/media/decoder/decoder.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client, Login } from "../support/client.js";
import { holdPost } from "../support/jobs.js";
import { tally, times } from "../support/processes.js";
import { get, HANDSHAKE, RawClient } from "../support/raw-client.js";

const REASON = "the server cannot handle the request now; try again later";

/** What is held up is so until the test lets it go, however busy the machine. */
const PATIENCE = {
  STATEMENT_TIMEOUT_MEMBER_MS: "20000",
  STATEMENT_TIMEOUT_GOLD_MS: "20000",
  STATEMENT_TIMEOUT_MS: "20000",
};

let test: TestBoard;
const opened: (AsyncDisposable | Disposable)[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) {
    if (Symbol.asyncDispose in each) await each[Symbol.asyncDispose]();
    else each[Symbol.dispose]();
  }
});

async function start(settings: Record<string, string>): Promise<TestBoard> {
  test = await startBoard({ ...PATIENCE, ...settings });
  opened.push(test);
  return test;
}

async function crowd(count: number, text = "", localAddress?: string): Promise<RawClient[]> {
  const clients = await RawClient.crowd(test.url, count, text, localAddress);
  opened.push(...clients);
  return clients;
}

/** Locks the table of tags: every request for tags waits until it is unlocked. */
async function holdTags() {
  const client = new pg.Client({ connectionString: test.board.databaseUrl });
  await client.connect();
  await client.query("BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE");
  const waiting = async () =>
    (await client.query("SELECT FROM pg_locks WHERE relation = 'tags'::regclass AND NOT granted")).rowCount;
  const hold = { waiting, [Symbol.asyncDispose]: () => client.end() };
  opened.push(hold);
  return hold;
}

/** More than a connection takes while its client reads nothing. */
const LARGE_BYTES = 32 * 1024 * 1024;

/** @returns the path of a file of so many bytes */
async function storeLargeFile(): Promise<string> {
  const key = "original/00/00/00000000000000000000000000000000.jpg";
  const file = path.join(test.board.config.mediaDir, key);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, randomBytes(LARGE_BYTES));
  return `/data/${key}`;
}

/** What a request for the board's front page is answered. */
const front = async () => (await test.anonymous.get("/posts.json")).status;

describe("requests beyond MAX_REQUESTS", () => {
  it("get 503 with Retry-After immediately, in REST and GraphQL, while the others are served", async () => {
    await start({ MAX_REQUESTS: "4" });
    const held = await holdTags();
    const asked = times(4, () => test.anonymous.get("/tags.json"));
    await expect.poll(held.waiting).toBe(4);

    const began = performance.now();
    const refused = await test.anonymous.get("/posts.json");
    expect(refused).toMatchObject({ status: 503, json: { success: false, reason: REASON, message: REASON } });
    expect(refused.headers.get("retry-after")).toBe("1");
    const graphql = await test.anonymous.graphql("{ posts { nodes { id } } }");
    expect(graphql).toMatchObject({
      status: 503,
      json: { errors: [{ message: REASON, extensions: { code: "UNAVAILABLE", status: 503 } }] },
    });
    expect(graphql.headers.get("retry-after")).toBe("1");
    const many = await times(50, front);
    expect(new Set(many)).toEqual(new Set([503]));
    expect(performance.now() - began).toBeLessThan(10_000);
    expect((await test.anonymous.get("/healthz")).json).toEqual({ status: "ok" });
    expect((await test.anonymous.get("/readyz")).json).toEqual({ status: "ok" });

    await held[Symbol.asyncDispose]();
    expect((await asked).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await front()).toBe(200);
  });

  it("do not include requests that their clients aborted", async () => {
    await start({ MAX_REQUESTS: "4" });
    const held = await holdTags();
    const clients = await crowd(4, get("/tags.json"));
    await expect.poll(held.waiting).toBe(4);
    for (const client of clients) client[Symbol.dispose]();
    expect(await front()).toBe(503);
    await held[Symbol.asyncDispose]();
    await expect.poll(front).toBe(200);
  });
});

describe("a request that gets no database connection", () => {
  it("gets 503 after DATABASE_WAIT_MS", async () => {
    await start({ DATABASE_CONNECTIONS: "3", DATABASE_WAIT_MS: "1000" }); // one of them for prepared statements
    const held = await holdTags();
    const asked = times(2, () => test.anonymous.get("/tags.json"));
    await expect.poll(held.waiting).toBe(2);
    const answers = await times(10, () => test.anonymous.get("/comments.json?group_by=comment"));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(503));
    expect(answers.map(({ headers }) => headers.get("retry-after"))).toEqual(Array(10).fill("5"));
    await held[Symbol.asyncDispose]();
    expect((await asked).map(({ status }) => status)).toEqual([200, 200]);
    expect(await front()).toBe(200);
  });
});

describe("a write that is committed", () => {
  it("waits for the connection of its response, and is not refused", async () => {
    await start({ DATABASE_CONNECTIONS: "3", DATABASE_WAIT_MS: "1000" }); // one of them for prepared statements
    const member = await test.make.user("Member");
    const post = await test.make.post("kitten");
    const lock = await holdPost(test.board.databaseUrl, post.id);
    const adding = member.client.post("/favorites.json", { post_id: post.id });
    await expect.poll(() => lock.isWanted()).toBe(true); // its transaction has begun
    const held = await holdTags();
    const other = test.board.database.prepared.query(sql`SELECT count(*) FROM tags`);
    await expect.poll(held.waiting).toBe(1);
    await lock[Symbol.asyncDispose]();
    const committed = () => test.board.pool.query("SELECT FROM favorites").then(({ rowCount }) => rowCount);
    await expect.poll(committed).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // longer than DATABASE_WAIT_MS
    await held[Symbol.asyncDispose]();
    expect(await adding).toMatchObject({ status: 200, json: { post_id: post.id } });
    await other;
  });
});

describe("an upload", () => {
  it("gets 503 immediately when too many files wait to be decoded, and is accepted afterwards", async () => {
    await start({ DECODING_MEMORY_BYTES: String(512 * 1024 * 1024) }); // with a decoder of its own
    const uploader = await test.make.user("Contributor");
    expect((await test.make.upload(uploader)).status).toBe(200);
    const { quick } = test.board.decoder as Decoder;
    process.kill(quick.pid as number, "SIGSTOP");
    const waiting = times(33, () => test.make.upload(uploader)); // one that it works on, and all who may wait
    await expect.poll(() => quick.slot.waiting).toBe(32);
    const refused = await test.make.upload(uploader);
    expect(refused).toMatchObject({ status: 503, json: { reason: REASON } });
    expect(refused.headers.get("retry-after")).toBe("5");
    process.kill(quick.pid as number, "SIGCONT");
    expect(tally(await waiting)).toEqual({ 200: 33 });
    expect((await test.make.upload(uploader)).status).toBe(200);
  });
});

describe("an address that keeps opening WebSockets and never answers their close frames", () => {
  it("leaves room for those of other addresses", async () => {
    await start({ MAX_CONNECTIONS: "400", MAX_CONNECTIONS_PER_ADDRESS: "240" });
    const clients = await crowd(150, HANDSHAKE, "127.0.0.3");
    await expect.poll(() => clients.every(({ status }) => status > 0)).toBe(true);
    const [other] = await crowd(1, HANDSHAKE, "127.0.0.2");
    await expect.poll(() => other?.status).toBe(101);
  });
});

describe("clients that start requests and do not finish them", () => {
  it("are disconnected after REQUEST_TIMEOUT_MS", async () => {
    await start({ REQUEST_TIMEOUT_MS: "600" });
    const clients = await crowd(20, "GET /posts.json HTTP/1.1\r\nHost: board\r\nX-Slow: ");
    await expect.poll(() => clients.filter(({ isClosed }) => isClosed).length).toBe(20);
    expect(new Set(clients.map(({ status }) => status))).toEqual(new Set([408]));
    expect(await front()).toBe(200);
  });

  it("are replaced by others, the oldest first, when there are MAX_CONNECTIONS of them", async () => {
    await start({ MAX_CONNECTIONS: "10" });
    const clients = await crowd(30, "GET /posts.json HTTP/1.1\r\nHost: board\r\nX-Slow: ");
    await expect.poll(() => clients.filter(({ isClosed }) => isClosed).length).toBe(20);
    expect(await times(5, front)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe("connections beyond MAX_CONNECTIONS", () => {
  it("get 503 while all others have work in progress", async () => {
    await start({ MAX_CONNECTIONS: "4" });
    const held = await holdTags();
    const busy = await crowd(4, get("/tags.json"));
    await expect.poll(held.waiting).toBe(4);
    const [refused] = await crowd(1, get("/posts.json"));
    await expect.poll(() => refused?.isClosed).toBe(true);
    expect(refused?.status).toBe(503);
    expect(refused?.received).toContain("Retry-After: 1\r\n");
    const body = JSON.parse(refused?.received.split("\r\n\r\n")[1] ?? "") as unknown;
    expect(body).toEqual({ success: false, reason: REASON, message: REASON });
    await held[Symbol.asyncDispose]();
    await expect.poll(() => busy.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await front()).toBe(200);
  });
});

describe("an address with many connections", () => {
  const SLOW_BODY = "POST /posts/1.json HTTP/1.1\r\nHost: board\r\nContent-Length: 1000\r\n\r\npost";
  const closed = (clients: RawClient[]) => clients.filter(({ isClosed }) => isClosed).length;

  it.each([
    ["mute ones", ""],
    ["unfinished heads", "GET /posts.json HTTP/1.1\r\nX-Slow: "],
    ["unfinished bodies", SLOW_BODY],
  ])("keeps MAX_CONNECTIONS_PER_ADDRESS of them, its oldest make room: %s", async (_, text) => {
    await start({ MAX_CONNECTIONS: "20", MAX_CONNECTIONS_PER_ADDRESS: "5" });
    const others = await crowd(3, get("/posts.json"), "127.0.0.2");
    await expect.poll(() => others.map(({ status }) => status)).toEqual([200, 200, 200]);
    const clients = await crowd(30, text, "127.0.0.3");
    await expect.poll(() => closed(clients)).toBe(25);
    expect([closed(others), await front()]).toEqual([0, 200]);
  });

  it("is replaced by others when MAX_CONNECTIONS is reached, whatever it sends", async () => {
    await start({ MAX_CONNECTIONS: "10" });
    const [other] = await crowd(1, get("/posts.json"), "127.0.0.2");
    await expect.poll(() => other?.status).toBe(200);
    const clients = await crowd(9, SLOW_BODY, "127.0.0.3");
    expect(await times(4, front)).toEqual([200, 200, 200, 200]);
    expect([other?.isClosed, closed(clients) > 0]).toEqual([false, true]);
  });

  it("keeps its WebSocket, although that is its oldest, when its other connections are replaced", async () => {
    await start({ MAX_CONNECTIONS: "10" });
    const [socket] = await crowd(1, HANDSHAKE, "127.0.0.3");
    await expect.poll(() => socket?.status).toBe(101);
    const clients = await crowd(9, SLOW_BODY, "127.0.0.3");
    expect(await times(4, front)).toEqual([200, 200, 200, 200]);
    expect([socket?.isClosed, closed(clients) > 0]).toEqual([false, true]);
  });

  it("is replaced by others while it reads nothing, also if it has pipelined further requests", async () => {
    await start({ MAX_CONNECTIONS: "4" });
    const clients = await crowd(4, "", "127.0.0.3");
    const file = await storeLargeFile();
    for (const client of clients) {
      client.stopReading();
      client.say(get(file) + get("/posts.json").repeat(2));
    }
    await expect.poll(() => test.board.telemetry.metrics.inFlight).toBe(4);
    await expect.poll(() => times(2, front)).toEqual([200, 200]);
    for (const client of clients) client.readAgain();
    await expect.poll(() => closed(clients) > 0).toBe(true);
  });

  it("is identified by X-Forwarded-For while a request comes through a proxy", async () => {
    await start({ MAX_CONNECTIONS: "20", MAX_CONNECTIONS_PER_ADDRESS: "5", TRUST_PROXY: "1" });
    const from = (address: string, text: string) => text.replace("Host:", `X-Forwarded-For: ${address}\r\nHost:`);
    const slow = await crowd(12, from("198.51.100.1", SLOW_BODY));
    await expect.poll(() => closed(slow)).toBe(7);
    const others = await crowd(4, from("198.51.100.2", get("/posts.json")));
    await expect.poll(() => others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe("an address with many requests", () => {
  it("has MAX_REQUESTS_PER_ADDRESS in progress, in REST and GraphQL; its further ones wait, those of other addresses are served", async () => {
    await start({ MAX_REQUESTS_PER_ADDRESS: "2", MAX_REQUESTS: "12", DATABASE_CONNECTIONS: "20", TRUST_PROXY: "1" });
    const member = (await test.make.user("Member")).client;
    const held = await holdTags();
    const from = (client: typeof member, address: string) => client.with({ "x-forwarded-for": address });
    const asked = [
      times(5, () => from(test.anonymous, "198.51.100.1").get("/tags.json")),
      times(5, () => from(member, "198.51.100.2").get("/tags.json")),
      times(5, () => from(test.anonymous, "198.51.100.3").graphql("{ tags { nodes { id } } }")),
    ];
    await expect.poll(held.waiting).toBe(6);
    const others = await times(3, () => from(test.anonymous, "198.51.100.4").get("/comments.json?group_by=comment"));
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    await held[Symbol.asyncDispose]();
    const answers = (await Promise.all(asked)).flat();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("has a large one at work beside one that takes long", async () => {
    await start({ MAX_REQUESTS_PER_ADDRESS: "3" });
    const held = await holdTags();
    const long = test.anonymous.get("/tags.json");
    await expect.poll(held.waiting).toBe(1);
    expect((await test.anonymous.get("/comments.json?group_by=comment&limit=200")).status).toBe(200);
    expect(await held.waiting()).toBe(1);
    await held[Symbol.asyncDispose]();
    expect((await long).status).toBe(200);
  });

  it.each<[string, (client: Client) => Promise<Answer>]>([
    ["100 tags", (client) => client.get("/tags.json?limit=100")],
    ["100 tags, as a body says", (client) => client.post("/tags.json", { _method: "get", limit: "100" })],
    ["100 posts, by a limit within a search", (client) => client.get("/posts.json?tags=fox&search[limit]=100")],
    ["100 posts, by a limit among its terms", (client) => client.get("/posts.json?tags=fox+limit:100")],
    [
      "100 posts, by one before what only looks like one",
      (client) => client.get("/posts.json?tags=fox+limit:100+-x-limit:1"),
    ],
    [
      "100 posts, by a limit beside a blank one",
      (client) => client.get("/posts.json?tags=fox&limit=&search[limit]=100"),
    ],
    ["a query that counts as four requests", (client) => client.graphql("{ tags(first: 800) { nodes { id } } }")],
  ])("has fewer at work where they are large: %s, of which an ordinary one waits for none", async (_, ask) => {
    await start({
      MAX_REQUESTS_PER_ADDRESS: "10",
      DATABASE_CONNECTIONS: "20",
      DATABASE_CONNECTIONS_PER_CLIENT: "20",
      TRUST_PROXY: "1",
    });
    const held = await holdTags();
    const from = (address: string) => test.anonymous.with({ "x-forwarded-for": address });
    const asked = times(5, () => ask(from("198.51.100.1")));
    await expect.poll(held.waiting).toBe(2);
    expect((await from("198.51.100.2").get("/comments.json?group_by=comment&limit=20")).status).toBe(200);
    expect(await held.waiting()).toBe(2);
    await held[Symbol.asyncDispose]();
    expect((await asked).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe("large requests of many addresses", () => {
  it("delay a request of another address by at most one of them, whatever `limit` they send", async () => {
    await start({ DATABASE_CONNECTIONS: "60", TRUST_PROXY: "1" });
    const from = (address: string) => test.anonymous.with({ "x-forwarded-for": address });
    const ask = () => from("203.0.113.1").get("/comments.json?group_by=comment&limit=40");
    await ask(); // the first prepares the row
    const held = await holdTags();
    const asked = Array.from({ length: 40 }, (_, index) =>
      from(`198.51.100.${index}`).get(`/tags.json?limit=${"9".repeat(400)}`),
    );
    await expect.poll(held.waiting).toBeGreaterThan(1);
    expect((await ask()).status).toBe(200);
    expect(await held.waiting()).toBeLessThan(40);
    await held[Symbol.asyncDispose]();
    await Promise.all(asked);
  });
});

describe("a long document", () => {
  it("does not wait for an introspection query that waits for the database", async () => {
    await start({});
    const held = await holdTags();
    const slow = test.anonymous.graphql('{ __type(name: "Tag") { name } tags { nodes { id } } }');
    await expect.poll(held.waiting).toBe(1);
    const long = await test.anonymous.graphql(`{ board { name } ${" ".repeat(3_000)}}`);
    expect([long.status, await held.waiting()]).toEqual([200, 1]);
    await held[Symbol.asyncDispose]();
    expect((await slow).status).toBe(200);
  });
});

describe("a client with many database statements", () => {
  it("uses at most DATABASE_CONNECTIONS_PER_CLIENT connections and leaves the others to everybody else", async () => {
    await start({ DATABASE_CONNECTIONS_PER_CLIENT: "2", TRUST_PROXY: "1" });
    const member = (await test.make.user("Member")).client;
    const held = await holdTags();
    const visitor = (address: string) => test.anonymous.with({ "x-forwarded-for": address });
    const asked = [
      times(6, () => visitor("198.51.100.1").get("/tags.json")),
      times(6, () => member.with({ "x-forwarded-for": "198.51.100.1" }).get("/tags.json")),
    ];
    await expect.poll(held.waiting).toBe(4);
    const others = await times(3, () => visitor("198.51.100.2").get("/comments.json?group_by=comment"));
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await held.waiting()).toBe(4);
    await held[Symbol.asyncDispose]();
    const answers = (await Promise.all(asked)).flat();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("gets 503 for a statement that has waited for DATABASE_WAIT_MS", async () => {
    await start({ DATABASE_CONNECTIONS_PER_CLIENT: "1", DATABASE_WAIT_MS: "300" });
    const held = await holdTags();
    const first = test.anonymous.get("/tags.json");
    await expect.poll(held.waiting).toBe(1);
    expect((await test.anonymous.get("/comments.json?group_by=comment")).status).toBe(503);
    await held[Symbol.asyncDispose]();
    expect([(await first).status, await front()]).toEqual([200, 200]);
  });

  it("can run any number of concurrent transactions that need more", async () => {
    await start({ DATABASE_CONNECTIONS_PER_CLIENT: "1" });
    const uploader = await test.make.user("Contributor");
    const uploads = await times(4, () => test.make.upload(uploader));
    expect(uploads.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe("/readyz", () => {
  it("checks the database once a second, however many requests come", async () => {
    await start({});
    let asked = 0;
    test.board.pool.on("acquire", () => (asked += 1));
    const began = performance.now();
    const answers = await times(200, () => test.anonymous.get("/readyz"));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(asked).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - began) / 1000));
    expect(asked).toBeGreaterThan(0);
  });
});

describe("bodies that trickle in", () => {
  const head = "POST /uploads.json HTTP/1.1\r\nHost: board\r\nContent-Length: 1000000\r\nContent-Type: ";
  /** A file is received for somebody who may upload. */
  const credentials = ({ name, apiKey }: Login) =>
    Object.entries({ login: name, api_key: apiKey })
      .map(([field, value]) => `--x\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`)
      .join("");
  it.each([
    [
      "multipart",
      (login: Login) =>
        `${head}multipart/form-data; boundary=x\r\n\r\n${credentials(login)}--x\r\nContent-Disposition: form-data; name="upload[file]"; filename="a.jpg"\r\n\r\n`,
    ],
    ["urlencoded", () => `${head}application/x-www-form-urlencoded\r\n\r\nupload%5Brating%5D=`],
    ["JSON", () => `${head}application/json\r\n\r\n{"upload":`],
  ])("don't count as requests (%s), and are cut off after BODY_STALL_MS", async (_, textOf) => {
    await start({ MAX_REQUESTS: "4", BODY_STALL_MS: "1500" });
    const clients = await crowd(20, textOf(await test.make.user()));
    const drip = setInterval(() => clients.forEach((client) => client.say("s")), 50);
    opened.push({ [Symbol.dispose]: () => clearInterval(drip) });
    expect(await times(4, front)).toEqual([200, 200, 200, 200]);
    await expect.poll(() => clients.filter(({ isClosed }) => isClosed).length).toBe(20);
    expect(new Set(clients.map(({ status }) => status))).toEqual(new Set([408]));
    expect(await test.board.database.post.count()).toBe(0);
    expect(await front()).toBe(200);
  });
});

describe("clients that stop reading", () => {
  it("do not count as requests, and are disconnected after SEND_TIMEOUT_MS", async () => {
    await start({ MAX_REQUESTS: "4", SEND_TIMEOUT_MS: "3000" });
    const file = await storeLargeFile();
    const clients = await crowd(12);
    for (const client of clients) {
      client.stopReading();
      client.say(get(file));
      await front(); // one after the other: until its answer begins, each of them counts
    }
    await expect.poll(() => times(4, front), { timeout: 2_500 }).toEqual([200, 200, 200, 200]);
    await expect.poll(brokenOff).toBe(12);
    for (const client of clients) client.readAgain();
    await expect.poll(() => clients.filter(({ isClosed }) => isClosed).length).toBe(12);
    for (const { received } of clients) expect(received.length).toBeLessThan(LARGE_BYTES);
  });

  /** Answers about which the log says that nobody took them to their end. */
  const brokenOff = () => test.log.filter(({ msg }) => msg === "request aborted").length;
});
