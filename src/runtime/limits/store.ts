/**
 * Where limits are counted: the memory of the one process, the database, or Redis. When either of the latter is away, each
 * process goes on counting by itself.
 */
import type pg from "pg";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { Config } from "../../config.js";
import { type Database, sql } from "../../database/client.js";
import { BatchingCounter } from "./batch.js";
import type { Redis } from "../../database/redis.js";

const HOUR = 3600;

/** How often a key was counted in its hour, this time included. */
export interface Used {
  /** past the limit, at least one more than it */
  points: number;
  /** milliseconds until the hour ends */
  msBeforeNext: number;
}

/** Counts keys in windows of an hour, each beginning with the key's first count. */
export interface Counter {
  /** Counts once more, or so many times. Past the limit it may be that nothing is counted any more. */
  count(key: string, times?: number): Promise<Used>;
  /** The count as it is; null when there is none. */
  read(key: string): Promise<Used | null>;
}

/** Makes counters; those of one name share their counts, whatever their limits. */
export interface LimitStore {
  counter(name: string, limit: number): Counter;
}

/** By how much the clocks of servers may differ, or be set back, before an hour begun in the future is discarded. */
const SKEW_MS = 600_000;

/** An hour that ends so late began when the clock was wrong: it would shut people out for as long as the clock was ahead. */
const isImpossible = (msBeforeNext: number): boolean => msBeforeNext > HOUR * 1000 + SKEW_MS;
const atMostAnHour = (msBeforeNext: number): number => Math.min(msBeforeNext, HOUR * 1000);

/** The library rejects with its result past the limit. */
class LibraryCounter implements Counter {
  constructor(
    private readonly limiter: RateLimiterAbstract,
    private readonly limit: number,
  ) {}

  async count(key: string, times = 1): Promise<Used> {
    let result = await this.consume(key, times);
    if (isImpossible(result.msBeforeNext)) {
      await this.limiter.delete(key);
      result = await this.consume(key, times);
    }
    const { consumedPoints, msBeforeNext } = result;
    // A key that is blocked in memory is refused without a count.
    const points = consumedPoints === 0 ? this.limit + times : consumedPoints;
    return { points, msBeforeNext: atMostAnHour(msBeforeNext) };
  }

  private consume(key: string, times: number): Promise<RateLimiterRes> {
    return this.limiter.consume(key, times).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
  }

  async read(key: string): Promise<Used | null> {
    const found = await this.limiter.get(key);
    if (!found || isImpossible(found.msBeforeNext)) return null;
    return { points: found.consumedPoints, msBeforeNext: atMostAnHour(found.msBeforeNext) };
  }
}

const options = (name: string, points: number) => ({ keyPrefix: name, points, duration: HOUR });

/** The memory of this process, for as long as it lives. */
function memoryStore(): LimitStore {
  const limiters = new Map<string, RateLimiterMemory>();
  return {
    counter(name, limit) {
      const limiter = limiters.get(name) ?? new RateLimiterMemory(options(name, Number.MAX_SAFE_INTEGER));
      limiters.set(name, limiter);
      return new LibraryCounter(limiter, limit);
    },
  };
}

/**
 * What the shared stores have in common: who is past a limit is refused out of memory until the hour ends, at no cost to the
 * store; and the memory counts on while the store is away.
 */
const shared = (name: string, limit: number) => ({
  ...options(name, limit),
  inMemoryBlockOnConsumed: limit,
  insuranceLimiter: new RateLimiterMemory(options(name, limit)),
});

const batched = (limiter: RateLimiterAbstract, limit: number): Counter =>
  new BatchingCounter(new LibraryCounter(limiter, limit));

/** The table `rate_limits`: one statement for each request that comes alone. */
const postgresStore = (pool: pg.Pool): LimitStore => ({
  counter: (name, limit) =>
    batched(
      new RateLimiterPostgres({
        ...shared(name, limit),
        storeClient: pool,
        storeType: "pool",
        tableName: "rate_limits",
        tableCreated: true,
        clearExpiredByTimeout: false, // a job does it (`sweepLimits`)
      }),
      limit,
    ),
});

/** Redis: one command for each request that comes alone. Nobody waits for a Redis that is away. */
const redisStore = (redis: Redis): LimitStore => ({
  counter: (name, limit) =>
    batched(new RateLimiterRedis({ ...shared(name, limit), storeClient: redis, rejectIfRedisNotReady: true }), limit),
});

/** The store that the configuration asks for; by itself Redis where there is one, and the database for several processes. */
export function chooseLimitStore(config: Config, pool: pg.Pool, redis: Redis | null): LimitStore {
  const chosen = config.LIMITS_STORE ?? (redis ? "redis" : config.WORKERS > 1 ? "postgres" : "memory");
  if (chosen === "redis" && redis) return redisStore(redis);
  return chosen === "memory" ? memoryStore() : postgresStore(pool);
}

/** Removes the counts in the database whose hour is over. @returns how many */
export const sweepLimits = (database: Database): Promise<number> =>
  database.execute(sql`DELETE FROM rate_limits WHERE expire < ${BigInt(Date.now())}`);
