/**
 * Reads from streaming replicas (`DATABASE_REPLICA_URLS`). Everything reads and writes the primary unless `choose` has said
 * otherwise for the current request, which REST and GraphQL call at the start of a read-only operation. Three rules make that
 * safe, in each process by itself:
 *
 * - A replica is read from only while it is known to have everything that was committed `DATABASE_REPLICA_LAG_MS` ago.
 * - After an operation that may have written, the position of the primary's log is kept in the database, for the viewer's
 *   account and address, before the response is sent. Later requests of that account or address, in any process, read from
 *   replicas that have replayed as much, or else from the primary.
 * - A read that fails on a replica is sent to the primary (`reading-pool.ts`).
 */
import { AsyncResource } from "node:async_hooks";
import type pg from "pg";
import { ANONYMOUS } from "../runtime/auth/viewer.js";
import { clientKey } from "../runtime/limits/limiter.js";
import type { Logger } from "../runtime/telemetry/log.js";
import { type Database, sql } from "./client.js";
import { CLUSTER, openProbe, type Pools, Replica, type Sample } from "./replica.js";
import { readFrom } from "./request-scope.js";

/** Milliseconds between two questions to each server: how far it has come. */
const INTERVAL = 250;

/** What the primary has flushed, which is what replicas are sent. */
const SAMPLE = `SELECT pg_current_wal_flush_lsn() - '0/0' AS position, ${CLUSTER} AS cluster`;

/** In the order of the keys, so that two that wait for each other's rows can't be; never back, when two of a viewer overlap. */
const KEEP = `INSERT INTO viewer_writes AS kept (viewer, position)
  SELECT viewer, pg_current_wal_insert_lsn() - '0/0' FROM unnest($1::text[]) AS viewer ORDER BY viewer
  ON CONFLICT (viewer) DO UPDATE SET position = greatest(kept.position, EXCLUDED.position), written_at = now()`;

const FIND = "SELECT viewer, position FROM viewer_writes WHERE viewer = ANY($1::text[])";

/** Positions of the log by viewer; null when the primary did not say. */
type Positions = ReadonlyMap<string, number> | null;

/** Whose request it is. */
export interface Reader {
  readonly viewer: { readonly id: number | null };
  readonly address: string;
}

/** An account is one wherever it comes from; its address is another, for what it does before and after it is signed in. */
function keysOf({ viewer, address }: Reader): string[] {
  return [...new Set([clientKey(ANONYMOUS, address), clientKey(viewer, address)])];
}

function numberOf(text: string): number {
  let number = 0;
  for (const letter of text) number = (number * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return number;
}

export interface ReplicaOptions {
  /** the primary */
  url: string;
  pools: Pools;
  replicaUrls: readonly string[];
  /** milliseconds that a replica may be behind */
  maxLag: number;
  /** makes a server's pools */
  open: (url: string) => Pools;
  log: Logger;
}

export class Replicas implements AsyncDisposable {
  private readonly replicas: readonly Replica[];
  private readonly probe: pg.Pool;
  private samples: Sample[] = [];
  /** who is asked about next, and the question before, which never fails */
  private gathering: { keys: Set<string>; found: Promise<Positions> } | null = null;
  private asking: Promise<unknown> = Promise.resolve();
  private readonly timers = new Set<NodeJS.Timeout>();
  private isClosed = false;

  constructor(private readonly options: ReplicaOptions) {
    const { url, replicaUrls, open, maxLag, log } = options;
    this.probe = openProbe(url);
    this.probe.on("error", () => undefined); // the next query reports it
    this.replicas = replicaUrls.map((each) => new Replica(new URL(each).host, each, open(each), maxLag, log));
  }

  /** Begins to ask how far each server has come; they are read from when they have answered once. */
  async watch(): Promise<void> {
    await this.repeat(() => this.sample());
    await Promise.all(this.replicas.map((replica) => this.repeat(() => replica.check(this.samples))));
  }

  /** Does it now, and again an interval after it is done. */
  private async repeat(work: () => Promise<void>): Promise<void> {
    await work();
    if (this.isClosed) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.repeat(work);
    }, INTERVAL).unref();
    this.timers.add(timer);
  }

  /** Of a primary that does not answer nothing is known any more, and its replicas grow old. */
  private async sample(): Promise<void> {
    const at = performance.now();
    const answer = await this.probe.query<{ position: string; cluster: string }>(SAMPLE).catch(() => null);
    const row = answer?.rows[0];
    if (!row) return;
    const isYoung = (sample: Sample) => at - sample.at <= this.options.maxLag;
    this.samples = [...this.samples.filter(isYoung), { at, position: Number(row.position), cluster: row.cluster }];
  }

  /**
   * From here on, the current request reads from a replica that has everything that its viewer wrote, if there is one; the
   * same viewer from the same one, as long as it can be, so that what was there does not go away again.
   * @returns where it reads from: what is made for two requests at once has to come from the same place
   */
  async choose(reader: Reader): Promise<string> {
    if (!this.replicas.some((each) => each.isUsable)) return "";
    const keys = keysOf(reader);
    const written = await this.positionOf(keys);
    const able = this.replicas.filter((each) => each.isUsable && each.position >= written);
    const chosen = able[numberOf(keys.at(-1) ?? "") % able.length];
    readFrom(chosen ?? null);
    return chosen?.name ?? "";
  }

  /**
   * Bytes of the log up to the last write of any of these; without end when the primary does not say. While one question is
   * on its way the next gathers, so that a crowd costs the primary hardly more than one visitor.
   */
  private async positionOf(keys: string[]): Promise<number> {
    this.gathering ??= this.gather();
    for (const key of keys) this.gathering.keys.add(key);
    const found = await this.gathering.found;
    return found ? Math.max(...keys.map((key) => found.get(key) ?? 0)) : Infinity;
  }

  private gather() {
    const keys = new Set<string>();
    const found = this.asking.then(() => {
      this.gathering = null;
      return this.find([...keys]);
    });
    this.asking = found;
    return { keys, found };
  }

  /** Never fails. It is nobody's request in particular, whose deadline it would have. */
  private readonly find = AsyncResource.bind(async (keys: string[]): Promise<Positions> => {
    const question = { name: "viewer_writes", text: FIND, values: [keys] };
    const answer = await this.probe.query<{ viewer: string; position: string }>(question).catch(() => null);
    return answer && new Map(answer.rows.map(({ viewer, position }) => [viewer, Number(position)]));
  });

  /**
   * To be called when an operation is over that may have written, before it is answered. Never fails: what was written is
   * committed.
   */
  async wrote(reader: Reader): Promise<void> {
    try {
      await this.options.pools.pool.query(KEEP, [keysOf(reader)]);
    } catch (error) {
      this.options.log.warn({ err: error }, "a write was not kept: its viewer may read from a replica without it");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.probe.end();
    for (const replica of this.replicas) await replica[Symbol.asyncDispose]();
  }
}

/** Removes what is older than any replica may be that is read from. @returns how many */
export const sweepWrites = (database: Database): Promise<number> =>
  database.execute(sql`DELETE FROM viewer_writes WHERE written_at < now() - interval '1 hour'`);
