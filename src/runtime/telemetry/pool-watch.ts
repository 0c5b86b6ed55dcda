/** Metrics of the pools of one kind and their statements. */
import type { PoolName, ServerName } from "./definitions.js";
import type { Families } from "./families.js";

/** The properties of `pg.Pool` that are measured. */
interface PoolLike {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
  options: { max?: number };
}

export class PoolWatch {
  private readonly pools: PoolLike[] = [];
  private readonly labels: { server: ServerName; pool: PoolName };
  readonly onStatement: (seconds: number, failed: boolean) => void;

  constructor(
    private readonly families: Families,
    server: ServerName,
    pool: PoolName,
  ) {
    this.labels = { server, pool };
    const errors = families.statementErrors.labels(this.labels);
    const duration = families.statementSeconds.labels(this.labels);
    errors.inc(0);
    this.onStatement = (seconds, failed) => {
      duration.observe(seconds);
      if (failed) errors.inc();
    };
  }

  /** Watches a pool. @returns it */
  watch<T extends PoolLike>(pool: T): T {
    this.pools.push(pool);
    return pool;
  }

  read(): void {
    const sum = (of: (pool: PoolLike) => number): number => this.pools.reduce((total, pool) => total + of(pool), 0);
    const { connections, connectionsMax, connectionWaits } = this.families;
    const idle = sum(({ idleCount }) => idleCount);
    const total = sum(({ totalCount }) => totalCount);
    const max = sum(({ options }) => options.max ?? 0);
    const waiting = sum(({ waitingCount }) => waitingCount);
    connections.set({ ...this.labels, state: "idle" }, idle);
    connections.set({ ...this.labels, state: "busy" }, total - idle);
    connectionsMax.set(this.labels, max);
    connectionWaits.set(this.labels, waiting);
  }
}
