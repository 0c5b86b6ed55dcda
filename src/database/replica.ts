/**
 * A streaming replica: its connections for reads, and its lag. Its replay position in the write-ahead log is polled
 * and compared with earlier positions of the primary, so that the lag doesn't depend on the clocks of other machines,
 * and an idle primary doesn't make replicas look outdated.
 */
import type pg from "pg";
import { codeOf } from "../lib/error-code.js";
import type { Logger } from "../runtime/telemetry/log.js";
import { toBoardError } from "./faults.js";
import { createPool } from "./statements.js";

/** The two pools of every server: `preparing` is for prepared statements. */
export interface Pools {
  pool: pg.Pool;
  preparing: pg.Pool;
}

/** A position in the primary's write-ahead log: a replica that has replayed it has every commit before it. */
export interface Sample {
  /** milliseconds of `performance.now()` */
  at: number;
  /** bytes */
  position: number;
  /** identifies the cluster and database; the same on its replicas */
  cluster: string;
}

/** Timeout of a health check in milliseconds. */
const CHECK_TIMEOUT = 2_000;

/** A connection for health checks only. */
export const openProbe = (url: string): pg.Pool =>
  createPool({ url, connections: 1, wait: CHECK_TIMEOUT, silence: CHECK_TIMEOUT, statementTimeout: CHECK_TIMEOUT });

/** Replicas have the same `system_identifier`. */
export const CLUSTER = "(SELECT system_identifier::text FROM pg_control_system()) || '/' || current_database()";

const STATE = `SELECT pg_is_in_recovery() AS "isReplica", pg_last_wal_replay_lsn() - '0/0' AS position, ${CLUSTER} AS cluster`;

interface State {
  isReplica: boolean;
  position: string | null;
  cluster: string;
}

const AHEAD = "ahead of the primary: it has replayed what a failover has lost";

/** Conflicts with replay affect one statement, not the replica. */
const CONFLICTS = new Set(["40001", "40P01"]);

export class Replica implements AsyncDisposable {
  /** replaced whenever the replica is marked down: when it comes back, it may be behind its earlier state */
  epoch: object = {};
  /** lower bound of its replay position in bytes */
  position = 0;
  /** `performance.now()` of the check that read the position; Infinity if it may be behind it since */
  private checkedAt = Infinity;
  /** the position at which it was ahead of the primary, of whose log it can replay nothing as long as it stays there */
  private strayedAt: number | null = null;
  /** why it is not used; null if it can be */
  private fault: string | null = "not checked yet";
  /** `performance.now()` of the latest sample that it has replayed */
  private caughtUpAt = -Infinity;
  /** the last logged state */
  private wasUsable = false;
  private readonly probe: pg.Pool;
  private readonly waiting = new Set<(error: Error) => void>();

  /** @param name for the log, without credentials @param maxLag largest accepted lag in milliseconds */
  constructor(
    readonly name: string,
    url: string,
    private readonly pools: Pools,
    private readonly maxLag: number,
    private readonly log: Logger,
  ) {
    this.probe = openProbe(url);
    for (const each of [this.probe, pools.pool, pools.preparing])
      each.on("error", (error) => this.markDown(error.message));
  }

  /** Whether it responds, and is not too far behind. */
  get isUsable(): boolean {
    return this.fault === null && performance.now() - this.caughtUpAt <= this.maxLag;
  }

  /** Reads its replay position. Never throws. @param samples of the primary, oldest first */
  async check(samples: readonly Sample[]): Promise<void> {
    try {
      const { rows } = await this.probe.query<State>(STATE);
      this.learn(rows[0] as State, samples);
    } catch (error) {
      this.markDown((error as Error).message);
    }
    const { isUsable } = this;
    if (isUsable === this.wasUsable) return;
    this.wasUsable = isUsable;
    if (isUsable) this.log.info({ replica: this.name }, "replica in use");
    else if (this.fault === null) this.log.warn({ replica: this.name }, "replica not in use: too far behind");
  }

  private learn({ isReplica, position, cluster }: State, samples: readonly Sample[]): void {
    if (!isReplica || position === null) return this.markDown("not a streaming replica");
    const newest = samples.at(-1);
    if (newest && newest.cluster !== cluster) return this.markDown("a replica of another database");
    // since the last check, the primary has told a position: no replica of it can have been further
    const isAhead = newest !== undefined && newest.at > this.checkedAt && newest.position < this.position;
    const hasStayed = Number(position) === this.strayedAt;
    this.position = Number(position);
    this.strayedAt = isAhead || hasStayed ? this.position : null;
    this.caughtUpAt = samples.findLast((sample) => sample.position <= this.position)?.at ?? -Infinity;
    if (this.strayedAt === null) this.fault = null;
    else this.markDown(AHEAD);
    this.checkedAt = performance.now();
  }

  /** Stops using it until a check succeeds; pending reads fail at once. */
  private markDown(fault: string): void {
    if (this.fault !== fault) this.log.warn({ replica: this.name, fault }, "replica not in use");
    this.fault = fault;
    this.epoch = {};
    this.checkedAt = Infinity;
    for (const reject of this.waiting) reject(new Error(`replica not in use: ${fault}`));
  }

  /** Reads from it. @throws the driver's errors, and an Error when the replica is marked down meanwhile */
  read<T>(ask: (pools: Pools) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.add(reject);
      void ask(this.pools)
        .then(resolve, reject)
        .finally(() => this.waiting.delete(reject));
    });
  }

  /** Marks the replica down if the error of a read is a connection failure. */
  reportError(error: unknown): void {
    if (this.fault !== null || CONFLICTS.has(codeOf(error))) return;
    if (toBoardError(error).key === "overloaded") this.markDown((error as Error).message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.probe, this.pools.pool, this.pools.preparing].map((each) => each.end()));
  }
}
