/** The connection to Redis, which is never waited for: what it is used for has another way while it is away. */
import type { Redis } from "ioredis";
import type { Logger } from "../runtime/telemetry/log.js";

export type { Redis };

/** Connects, and goes on trying when that fails. Several boards share a Redis by the number of the database in their URLs. */
export async function openRedis(url: string, log: Logger): Promise<Redis> {
  const { Redis: Client } = await import("ioredis"); // which most boards do without
  const redis = new Client(url, {
    lazyConnect: true,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  await connected(redis, log);
  return redis;
}

/** A second connection, for subscriptions, which Redis wants apart. */
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
    if (!isLost) log.warn({ err: error }, "Redis is away: each process counts by itself, and events go by PostgreSQL");
    isLost = true;
  });
  redis.on("ready", () => (isLost = false));
  await redis.connect().catch(() => undefined); // reported by "error"
}
