/**
 * Where limits are counted: in memory (with `WORKERS`, that of the first process), the database, or Redis. If these are unreachable,
 * each process counts by itself.
 */
import cluster from "node:cluster";
import type pg from "pg";
import {
  type IRateLimiterStoreOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { Config } from "../../config.js";
import { type Database, sql } from "../../database/client.js";
import { removeExpired } from "../../database/sweep.js";
import { memoryStore } from "./memory.js";
import { PrimaryStore } from "./primary-store.js";
import type { MaybePromise } from "../../lib/maybe-promise.js";
import type { Redis } from "../../database/redis.js";

const HOUR = 3600;

/** The count of a key in its hour, this time included. */
export interface Used {
  /** over the limit, at least one more than it */
  points: number;
  /** milliseconds until the hour ends */
  msBeforeNext: number;
}

/** Counts keys in windows of an hour, each starting with the key's first count. */
export interface Counter {
  /** Counts once, or several times; -1 takes one back. Over the limit, counting may stop. */
  count(key: string, times?: number): MaybePromise<Used>;
  /** The current count; null if there is none. */
  read(key: string): MaybePromise<Used | null>;
}

/** Creates counters; those of one name share their counts, whatever their limits. */
export interface LimitStore {
  counter(name: string, limit: number): Counter;
}

/** Tolerated difference of servers' clocks in milliseconds, before an hour started in the future is discarded. */
export const SKEW_MS = 600_000;

/** An hour that ends this late was started by a wrong clock: it would lock users out for as long as the clock was ahead. */
const isImpossible = (msBeforeNext: number): boolean => msBeforeNext > HOUR * 1000 + SKEW_MS;
const atMostAnHour = (msBeforeNext: number): number => Math.min(msBeforeNext, HOUR * 1000);

/** The library rejects with its result over the limit. */
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
    // a key that is blocked in memory is refused without a count
    const points = consumedPoints === 0 && times > 0 ? this.limit + times : consumedPoints;
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

/**
 * A shared store, which gets one statement or command for each single request: who is over a limit is refused from memory until the hour ends,
 * without a request to the store; and memory is used while the store is unreachable.
 */
const shared = (
  limiterOf: (options: Omit<IRateLimiterStoreOptions, "storeClient">) => RateLimiterAbstract,
): LimitStore => ({
  counter(keyPrefix, points) {
    const options = { keyPrefix, points, duration: HOUR };
    const limiter = limiterOf({
      ...options,
      inMemoryBlockOnConsumed: points + 1, // not at the limit, which a count that is taken back may have reached
      insuranceLimiter: new RateLimiterMemory(options),
    });
    return new BatchingCounter(new LibraryCounter(limiter, points));
  },
});

/** The configured store; by default Redis if there is one, else the memory of this process, or of the first one with `WORKERS`. */
export function chooseLimitStore(config: Config, pool: pg.Pool, redis: Redis | null): LimitStore {
  const chosen = config.LIMITS_STORE ?? (redis ? "redis" : "memory");
  // nobody waits for an unreachable Redis
  if (chosen === "redis" && redis)
    return shared((options) => new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true }));
  const table = { storeClient: pool, storeType: "pool", tableName: "rate_limits", tableCreated: true } as const;
  // a job clears what has expired (`sweepLimits`)
  if (chosen === "postgres")
    return shared((options) => new RateLimiterPostgres({ ...options, ...table, clearExpiredByTimeout: false }));
  return cluster.isWorker ? new PrimaryStore() : memoryStore();
}

/** Removes counts whose hour is over from the database. @returns their number */
export const sweepLimits = (database: Database): Promise<number> =>
  removeExpired(database, "rate_limits", sql`expire < ${BigInt(Date.now())}`);

interface Waiting {
  times: number;
  resolve: (used: Used) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches counts of one key that arrive while an earlier one is being sent to a shared store: many users behind one address cost the store
 * hardly more than one. A single count never waits.
 */
export class BatchingCounter implements Counter {
  private readonly queues = new Map<string, Waiting[]>();

  /** @param counter adds a number, and returns the new count */
  constructor(private readonly counter: Counter) {}

  count(key: string, times = 1): Promise<Used> {
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(key) ?? [];
      queue.push({ times, resolve, reject });
      if (!this.queues.has(key)) void this.send(key, queue);
    });
  }

  read(key: string): MaybePromise<Used | null> {
    return this.counter.read(key);
  }

  private async send(key: string, queue: Waiting[]): Promise<void> {
    this.queues.set(key, queue);
    while (queue.length > 0) {
      const batch = queue.splice(0);
      try {
        const all = batch.reduce((sum, { times }) => sum + times, 0);
        const { points, msBeforeNext } = await this.counter.count(key, all);
        let reached = points - all;
        for (const { times, resolve } of batch) resolve({ points: (reached += times), msBeforeNext });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.queues.delete(key);
  }
}
