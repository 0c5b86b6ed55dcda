/** The connection to Redis. Nothing waits for it: everything that uses it has a fallback. */
import type { Redis } from "ioredis";
import type { Logger } from "../runtime/telemetry/log.js";

export type { Redis };

/** Connects, and retries in the background if that fails. Boards that share a Redis need different database numbers in their URLs. */
export async function openRedis(url: string, log: Logger): Promise<Redis> {
  const { Redis: Client } = await import("ioredis"); // most boards don't use it
  const redis = new Client(url, {
    lazyConnect: true,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    socketTimeout: 1_000, // a connection without an answer is closed, so that the next command need not wait for one
    keepAlive: 10_000, // milliseconds; the connection of subscriptions sends nothing itself, and would not notice that it is lost
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  await connected(redis, log);
  return redis;
}

/** A second connection, for subscriptions, which need one of their own. */
export async function subscriberOf(redis: Redis, log: Logger): Promise<Redis> {
  const subscriber = redis.duplicate({
    commandTimeout: undefined,
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
  });
  await connected(subscriber, log);
  return subscriber;
}

async function connected(redis: Redis, log: Logger): Promise<void> {
  let isLost = false;
  redis.on("error", (error) => {
    if (!isLost)
      log.warn({ err: error }, "Redis unavailable: limits are counted per process, and events sent by PostgreSQL");
    isLost = true;
  });
  redis.on("ready", () => (isLost = false));
  await redis.connect().catch(() => undefined); // reported by "error"
}
