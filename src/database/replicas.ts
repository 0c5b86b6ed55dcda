/**
 * Reads from streaming replicas (`DATABASE_REPLICA_URLS`). The primary is used unless `choose`, which REST and GraphQL call at
 * the start of a read-only operation, selects a replica for the current request. Three rules make that safe:
 *
 * - A replica is used only while it is known to have replayed everything committed `DATABASE_REPLICA_LAG_MS` ago.
 * - After an operation that may have written, and before its response, the primary's log position is stored in the database for
 *   the viewer's account and address. Their later requests, in any process, use replicas that have replayed
 *   that position, or else the primary.
 * - A read that fails on a replica is repeated on the primary (`reading-pool.ts`).
 */
import { AsyncResource } from "node:async_hooks";
import { hash } from "node:crypto";
import DataLoader from "dataloader";
import type pg from "pg";
import { ANONYMOUS } from "../runtime/auth/viewer.js";
import { clientKey } from "../runtime/limits/limiter.js";
import type { Logger } from "../runtime/telemetry/log.js";
import { type Database, sql } from "./client.js";
import { CLUSTER, openProbe, type Pools, Replica, type Sample } from "./replica.js";
import { queryPrimary } from "./reading-pool.js";
import { readFrom } from "./request-scope.js";
import { removeExpired } from "./sweep.js";

/** Polling interval of each server's position, in milliseconds. */
const INTERVAL = 250;

/** The flushed position: replicas are sent only that. */
const SAMPLE = `SELECT pg_current_wal_flush_lsn() - '0/0' AS position, ${CLUSTER} AS cluster`;

/** Rows are written in the order of their keys, to avoid deadlocks; a position never decreases, even with concurrent writes. */
const SAVE = `INSERT INTO viewer_writes AS kept (viewer, position)
  SELECT viewer, pg_current_wal_insert_lsn() - '0/0' FROM unnest($1::text[]) AS viewer ORDER BY viewer
  ON CONFLICT (viewer) DO UPDATE SET position = greatest(kept.position, EXCLUDED.position), written_at = now()`;

const FIND = "SELECT viewer, position FROM viewer_writes WHERE viewer = ANY($1::text[])";

export interface Reader {
  readonly viewer: { readonly id: number | null };
  readonly address: string;
}

/** The keys of the account and of the address: the latter for requests before and after signing in. */
function keysOf({ viewer, address }: Reader): string[] {
  return [...new Set([clientKey(ANONYMOUS, address), clientKey(viewer, address)])];
}

export interface ReplicaOptions {
  /** the primary */
  url: string;
  pools: Pools;
  replicaUrls: readonly string[];
  /** largest accepted lag in milliseconds */
  maxLag: number;
  open: (url: string) => Pools;
  log: Logger;
}

export class Replicas implements AsyncDisposable {
  private readonly replicas: readonly Replica[];
  private readonly probe: pg.Pool;
  private samples: Sample[] = [];
  /**
   * The log positions of the last writes by key. Lookups are batched while a query is running, so that many concurrent requests take few
   * queries.
   */
  private readonly positions = new DataLoader<string, number>((keys) => (this.running = this.find(keys)), {
    cache: false,
    batchScheduleFn: (send) => void this.running.then(send),
  });
  private running: Promise<unknown> = Promise.resolve();
  private readonly timers = new Set<NodeJS.Timeout>();
  private isClosed = false;

  constructor(private readonly options: ReplicaOptions) {
    const { url, replicaUrls, open, maxLag, log } = options;
    this.probe = openProbe(url);
    this.probe.on("error", () => undefined); // the next query reports it
    this.replicas = replicaUrls.map((each) => new Replica(new URL(each).host, each, open(each), maxLag, log));
  }

  /** Starts polling the positions of all servers; resolves after the first poll. */
  async watch(): Promise<void> {
    await this.repeat(() => this.sample());
    await Promise.all(this.replicas.map((replica) => this.repeat(() => replica.check(this.samples))));
  }

  /** Runs work now, and repeatedly, an interval after it ends. */
  private async repeat(work: () => Promise<void>): Promise<void> {
    await work();
    if (this.isClosed) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.repeat(work);
    }, INTERVAL).unref();
    this.timers.add(timer);
  }

  /** Reads the primary's position. While the primary does not respond, the replicas become outdated. */
  private async sample(): Promise<void> {
    const at = performance.now();
    const answer = await this.probe.query<{ position: string; cluster: string }>(SAMPLE).catch(() => null);
    const row = answer?.rows[0];
    if (!row) return;
    const isYoung = (sample: Sample) => at - sample.at <= this.options.maxLag;
    this.samples = [...this.samples.filter(isYoung), { at, position: Number(row.position), cluster: row.cluster }];
  }

  /**
   * Makes the current request read from a replica that has everything its viewer wrote, if there is one. A viewer
   * stays on the same replica if possible, so that records that were visible don't disappear again.
   * @returns the replica's name, or the empty string for the primary: requests share results only if they read from the same server
   */
  async choose(reader: Reader): Promise<string> {
    if (!this.replicas.some((each) => each.isUsable)) return "";
    const keys = keysOf(reader);
    const written = Math.max(...(await Promise.all(keys.map((key) => this.positions.load(key)))));
    const able = this.replicas.filter((each) => each.isUsable && each.position >= written);
    const chosen = able[hash("sha1", keys.at(-1) ?? "", "buffer").readUInt32BE() % able.length];
    readFrom(chosen ?? null);
    return chosen?.name ?? "";
  }

  /**
   * Positions by key; Infinity if the primary does not respond. Never throws. Bound to no request, since one query serves many, and a
   * request's deadline must not apply.
   */
  private readonly find = AsyncResource.bind(async (keys: readonly string[]): Promise<number[]> => {
    const question = { name: "viewer_writes", text: FIND, values: [[...new Set(keys)]] };
    const answer = await this.probe.query<{ viewer: string; position: string }>(question).catch(() => null);
    const found = new Map(answer?.rows.map(({ viewer, position }) => [viewer, Number(position)]));
    return keys.map((key) => (answer ? (found.get(key) ?? 0) : Infinity));
  });

  /**
   * To be called after an operation that may have written, before its response. Never throws, since the write is committed.
   */
  async wrote(reader: Reader): Promise<void> {
    try {
      await queryPrimary(this.options.pools.pool, [SAVE, [keysOf(reader)]]);
    } catch (error) {
      this.options.log.warn(
        { err: error },
        "position of a write not saved: its viewer may read from a replica without it",
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.probe.end();
    for (const replica of this.replicas) await replica[Symbol.asyncDispose]();
  }
}

/** Deletes positions that all replicas in use have replayed. @returns the number of deleted rows */
export const sweepWrites = (database: Database): Promise<number> =>
  removeExpired(database, "viewer_writes", sql`written_at < now() - interval '1 hour'`);
