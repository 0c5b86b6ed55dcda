/** Events between servers with `REDIS_URL`: by Redis, and by PostgreSQL while Redis is unreachable; each once. */
import { readFile } from "node:fs/promises";
import { createClient, type Client } from "graphql-ws";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { startBoard, type TestBoard } from "../support/board.js";
import { noRedis, TestRedis } from "../support/redis.js";

describe.skipIf(noRedis !== null)(`REDIS_URL${noRedis === null ? "" : ` (skipped: ${noRedis})`}`, () => {
  let redis: TestRedis;
  let here: TestBoard;
  let there: TestBoard;
  let postgres: pg.Client;
  let subscriber: Client;
  /** ids of the posts received on the other server, and of those sent by PostgreSQL */
  const heard: number[] = [];
  const notified: number[] = [];

  beforeAll(async () => {
    redis = await TestRedis.start();
    here = await startBoard({ REDIS_URL: redis.url });
    there = await startBoard({ REDIS_URL: redis.url, DATABASE_URL: here.board.databaseUrl });
    postgres = new pg.Client({ connectionString: here.board.databaseUrl });
    postgres.on("notification", ({ payload }) => notified.push((JSON.parse(payload ?? "{}") as { id: number }).id));
    await postgres.connect();
    await postgres.query("LISTEN graphbooru_events");
    subscriber = createClient({ url: `${there.url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket });
    subscriber.subscribe<{ postCreated: { id: number } }>(
      { query: "subscription { postCreated { id } }" },
      {
        next: ({ data }) => void heard.push(data?.postCreated.id ?? 0),
        error: (error) => expect.fail(String(error)),
        complete: () => undefined,
      },
    );
    // the protocol does not acknowledge a subscription: posts are made until it hears
    let last = 0;
    const hear = async () => {
      last = (await here.make.post()).id;
      return heard.length > 0;
    };
    await vi.waitUntil(hear, { timeout: 20_000 });
    await vi.waitUntil(() => heard.at(-1) === last, { timeout: 20_000 });
    heard.length = 0;
  }, 60_000);
  afterAll(async () => {
    await subscriber.dispose();
    await postgres.end();
    await there[Symbol.asyncDispose]();
    await here[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  /** Servers that receive the events of Redis. */
  const subscribers = async () => {
    const client = new Redis(redis.url);
    const [, count] = await client.pubsub("NUMSUB", "graphbooru_events:0");
    client.disconnect();
    return count;
  };

  it("publishes committed changes once to the other server, not by PostgreSQL", async () => {
    const [one, two] = [await here.make.post(), await there.make.post()];
    await expect.poll(() => heard).toEqual([one.id, two.id]);
    expect(notified).toEqual([]);
  });

  it("notices within minutes that a connection was lost without a word: idle ones are probed after ten seconds", async () => {
    const port = Number(new URL(redis.url).port).toString(16).toUpperCase().padStart(4, "0");
    /** Seconds until the next probe of each connection to Redis, by the kernel's table. */
    const probes = async () =>
      (await readFile("/proc/net/tcp", "latin1"))
        .split("\n")
        .flatMap((line) => new RegExp(`:${port} 01 \\S+ 02:(\\S+)`).exec(line)?.[1] ?? [])
        .map((ticks) => Number.parseInt(ticks, 16) / 100);
    await expect.poll(async () => (await probes()).length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...(await probes()))).toBeLessThanOrEqual(10);
  });

  it("publishes nothing for refused requests", async () => {
    const uploader = await here.make.user("Contributor");
    const file = await here.make.picture();
    const upload = { file, rating: "s", tag_string: "first" };
    const [made, refused] = [
      await uploader.client.post("/uploads.json", { upload }),
      await uploader.client.post("/uploads.json", { upload }),
    ];
    const later = await here.make.post();
    expect([made.status, refused.status]).toEqual([200, 423]);
    await expect.poll(() => heard.slice(2)).toEqual([made.json.post_id, later.id]);
  });

  it("uses PostgreSQL while Redis is unreachable, and then Redis again", async () => {
    heard.length = 0;
    await redis.stop();
    await expect.poll(() => here.log.some((line) => String(line.msg).startsWith("Redis unavailable"))).toBe(true);
    const without = await here.make.post();
    await expect.poll(() => heard).toEqual([without.id]);
    await expect.poll(() => notified).toEqual([without.id]);
    await redis.start();
    await expect.poll(subscribers).toBe(2); // events are lost while a process is not connected
    const ids = [without.id];
    const byRedis = async () => {
      ids.push((await here.make.post()).id);
      await expect.poll(() => heard).toEqual(ids);
      return notified.includes(ids.at(-1) as number);
    };
    await expect.poll(byRedis, { timeout: 15_000 }).toBe(false);
  });
});
