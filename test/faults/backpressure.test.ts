/** More requests and connections than the board has room for, and clients that are slow on purpose. */
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { decoding } from "../../src/media/decoding.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { times } from "../support/processes.js";
import { get, RawClient } from "../support/raw-client.js";

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

async function crowd(count: number, text = ""): Promise<RawClient[]> {
  const clients = await RawClient.crowd(test.url, count, text);
  opened.push(...clients);
  return clients;
}

/** Locks the table of tags: whoever asks for tags waits until it is let go. */
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

/** What a request for the board's front page is answered. */
const front = async () => (await test.anonymous.get("/posts.json")).status;

describe("requests past MAX_REQUESTS", () => {
  it("are answered 503 with Retry-After at once, at either door, and the others as ever", async () => {
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

  it("are none when earlier ones were given up by their clients", async () => {
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

describe("a request that finds no connection to the database", () => {
  it("is answered 503 after DATABASE_WAIT_MS", async () => {
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

describe("an upload", () => {
  it("is answered 503 at once when too many files wait to be decoded, and taken afterwards", async () => {
    await start({});
    const uploader = await test.make.user("Contributor");
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const decodings = times(2 + 32, () => decoding(() => released)); // all slots, and all who may wait
    const refused = await test.make.upload(uploader);
    expect(refused).toMatchObject({ status: 503, json: { reason: REASON } });
    expect(refused.headers.get("retry-after")).toBe("5");
    release();
    await decodings;
    expect((await test.make.upload(uploader)).status).toBe(200);
  });
});

describe("clients that begin requests and don't go on", () => {
  it("are cut off after REQUEST_TIMEOUT_MS", async () => {
    await start({ REQUEST_TIMEOUT_MS: "600" });
    const clients = await crowd(20, "GET /posts.json HTTP/1.1\r\nHost: board\r\nX-Slow: ");
    await expect.poll(() => clients.filter(({ isClosed }) => isClosed).length).toBe(20);
    expect(new Set(clients.map(({ status }) => status))).toEqual(new Set([408]));
    expect(await front()).toBe(200);
  });

  it("make room for others, the longest first, when there are MAX_CONNECTIONS of them", async () => {
    await start({ MAX_CONNECTIONS: "10" });
    const clients = await crowd(30, "GET /posts.json HTTP/1.1\r\nHost: board\r\nX-Slow: ");
    await expect.poll(() => clients.filter(({ isClosed }) => isClosed).length).toBe(20);
    expect(await times(5, front)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe("connections past MAX_CONNECTIONS", () => {
  it("are answered 503 while all others are at work", async () => {
    await start({ MAX_CONNECTIONS: "4" });
    const held = await holdTags();
    const busy = await crowd(4, get("/tags.json"));
    await expect.poll(held.waiting).toBe(4);
    const [refused] = await crowd(1, get("/posts.json"));
    await expect.poll(() => refused?.isClosed).toBe(true);
    expect(refused?.status).toBe(503);
    expect(refused?.received).toContain("Retry-After: 1\r\n");
    await held[Symbol.asyncDispose]();
    await expect.poll(() => busy.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await front()).toBe(200);
  });
});

describe("bodies of a byte now and then", () => {
  const head = "POST /uploads.json HTTP/1.1\r\nHost: board\r\nContent-Length: 1000000\r\nContent-Type: ";
  it.each([
    [
      "multipart",
      `${head}multipart/form-data; boundary=x\r\n\r\n--x\r\nContent-Disposition: form-data; name="upload[file]"; filename="a.jpg"\r\n\r\n`,
    ],
    ["urlencoded", `${head}application/x-www-form-urlencoded\r\n\r\nupload%5Brating%5D=`],
    ["JSON", `${head}application/json\r\n\r\n{"upload":`],
  ])("don't count as requests (%s), and are cut off after BODY_STALL_MS", async (_, text) => {
    await start({ MAX_REQUESTS: "4", BODY_STALL_MS: "1500" });
    const clients = await crowd(20, text);
    const drip = setInterval(() => clients.forEach((client) => client.say("s")), 50);
    opened.push({ [Symbol.dispose]: () => clearInterval(drip) });
    expect(await times(4, front)).toEqual([200, 200, 200, 200]);
    await expect.poll(() => clients.filter(({ isClosed }) => isClosed).length).toBe(20);
    expect(new Set(clients.map(({ status }) => status))).toEqual(new Set([408]));
    expect(await test.board.prisma.post.count()).toBe(0);
    expect(await front()).toBe(200);
  });
});

describe("readers that stop reading", () => {
  const KEY = "original/00/00/00000000000000000000000000000000.jpg";
  it("don't count as requests, and are cut off after SEND_TIMEOUT_MS", async () => {
    await start({ MAX_REQUESTS: "4", SEND_TIMEOUT_MS: "3000" });
    const file = path.join(test.board.config.mediaDir, KEY);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, randomBytes(32 * 1024 * 1024));
    const clients = await crowd(12);
    for (const client of clients) {
      client.stopReading();
      client.say(get(`/data/${KEY}`));
      await front(); // one after the other: until its answer begins, each of them counts
    }
    await expect.poll(() => times(4, front), { timeout: 2_500 }).toEqual([200, 200, 200, 200]);
    await expect.poll(brokenOff).toBe(12);
    for (const client of clients) client.readAgain();
    await expect.poll(() => clients.filter(({ isClosed }) => isClosed).length).toBe(12);
    for (const { received } of clients) expect(received.length).toBeLessThan(32 * 1024 * 1024);
  });

  /** Answers about which the log says that nobody took them to their end. */
  const brokenOff = () => test.log.filter(({ msg }) => msg === "request aborted").length;
});
