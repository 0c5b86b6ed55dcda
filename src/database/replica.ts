/**
 * One streaming replica: the connections by which requests read from it, and how far it is behind. Asked every now and then
 * how much of the write-ahead log it has replayed; whether that is too little is said by the primary's own positions, so that
 * no clock but this process's own matters, and a primary that nobody writes to makes no replica look old.
 */
import type pg from "pg";
import type { Logger } from "../runtime/telemetry/log.js";
import { toBoardError } from "./faults.js";
import { createPool } from "./statements.js";

/** The two pools that every server has: for statements planned for their values, and for prepared ones. */
export interface Pools {
  pool: pg.Pool;
  preparing: pg.Pool;
}

/** A position in the primary's write-ahead log: a replica that has replayed up to it has every commit before it. */
export interface Sample {
  /** milliseconds of `performance.now()` */
  at: number;
  /** bytes */
  position: number;
  /** the cluster's own number, and the database in it: those of its replicas are the same */
  cluster: string;
}

/** Milliseconds; a replica that takes longer to say how it is doing is as good as away. */
const PATIENCE = 2_000;

/** A connection for health checks, which waits for nothing else. */
export const openProbe = (url: string): pg.Pool =>
  createPool({ url, connections: 1, wait: PATIENCE, silence: PATIENCE, statementTimeout: PATIENCE });

/** `system_identifier` is the cluster's, which replicas inherit. */
export const CLUSTER = "(SELECT system_identifier::text FROM pg_control_system()) || '/' || current_database()";

const STATE = `SELECT pg_is_in_recovery() AS "isReplica", pg_last_wal_replay_lsn() - '0/0' AS position, ${CLUSTER} AS cluster`;

interface State {
  isReplica: boolean;
  position: string | null;
  cluster: string;
}

/** Conflicts with what is being replayed concern one statement, not the replica. */
const CONFLICTS = new Set(["40001", "40P01"]);

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

export class Replica implements AsyncDisposable {
  /** another one after each time that the replica was away: it may have come back with less than it had */
  epoch: object = {};
  /** bytes of the log that it has replayed at least */
  position = 0;
  /** why it is not read from; null while it may be */
  private fault: string | null = "not asked yet";
  /** `performance.now()` of a moment whose state it has at least */
  private caughtUpAt = -Infinity;
  /** what was logged last */
  private wasUsable = false;
  private readonly probe: pg.Pool;
  private readonly waiting = new Set<(error: Error) => void>();

  /**
   * @param name what the log calls it, without credentials
   * @param maxLag milliseconds that it may be behind
   */
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

  /** Whether it answers, and is not too far behind. */
  get isUsable(): boolean {
    return this.fault === null && performance.now() - this.caughtUpAt <= this.maxLag;
  }

  /** Asks how far it has come. Never fails. @param samples of the primary, oldest first */
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
    if (isUsable) this.log.info({ replica: this.name }, "replica is read from");
    else if (this.fault === null) this.log.warn({ replica: this.name }, "replica is not read from: too far behind");
  }

  private learn({ isReplica, position, cluster }: State, samples: readonly Sample[]): void {
    if (!isReplica || position === null) return this.markDown("it is no streaming replica");
    const newest = samples.at(-1);
    if (newest && newest.cluster !== cluster) return this.markDown("it is a replica of another database");
    this.position = Number(position);
    this.caughtUpAt = samples.findLast((sample) => sample.position <= this.position)?.at ?? -Infinity;
    this.fault = null;
  }

  /** Nothing reads from it until it has answered a check; pending reads fail at once. */
  private markDown(fault: string): void {
    if (this.fault !== fault) this.log.warn({ replica: this.name, fault }, "replica is not read from");
    this.fault = fault;
    this.epoch = {};
    for (const reject of this.waiting) reject(new Error(`the replica is away: ${fault}`));
  }

  /** Reads from it. @throws the driver's errors, and an Error as soon as the replica is known to be away */
  read<T>(ask: (pools: Pools) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.add(reject);
      void ask(this.pools)
        .then(resolve, reject)
        .finally(() => this.waiting.delete(reject));
    });
  }

  /** Takes the error of a read: one that looks as if the replica were down marks it down until it answers a check. */
  reportError(error: unknown): void {
    if (this.fault !== null || CONFLICTS.has(String(codeOf(error)))) return;
    if (toBoardError(error).key === "overloaded") this.markDown((error as Error).message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.probe, this.pools.pool, this.pools.preparing].map((each) => each.end()));
  }
}
