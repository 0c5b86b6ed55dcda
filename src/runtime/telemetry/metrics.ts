/** The metrics of a board, in registries of its own, since tests have several boards in one process. */
import { type MetricObjectWithValues, type MetricValue, Registry } from "prom-client";
import { FAILURES, type FailureKey, STATUS } from "../../errors.js";
import type { PoolName, ServerName } from "./definitions.js";
import { type Families, makeFamilies } from "./families.js";
import { PoolWatch } from "./pool-watch.js";
import { ProcessReadings } from "./process-readings.js";
import { RequestMetrics } from "./requests.js";
import { getOrMake } from "../../lib/get-or-make.js";

/** The families of one process, serialized for another one. */
export type Readings = MetricObjectWithValues<MetricValue<string>>[];

export interface CacheReads {
  hits: number;
  misses: number;
}

export class Metrics {
  /** values of this process, which are summed over all processes */
  private readonly own = new Registry();
  /** values from the database, the same for all processes */
  private readonly shared = new Registry();
  private readonly refreshOwn: (() => void)[] = [];
  private readonly refreshShared: (() => Promise<void>)[] = [];
  readonly families: Families = makeFamilies(this.own, this.shared);
  readonly requests = new RequestMetrics(this.families);
  private readonly pools = new Map<string, PoolWatch>();

  constructor() {
    // Counters with alerts start at 0, so that the first failure is an increase.
    for (const key of Object.keys(FAILURES) as FailureKey[]) this.families.failures.inc(failureLabels(key), 0);
    this.families.uploads.inc({ outcome: "completed" }, 0);
    this.refreshOwn.push(() => this.families.requestsInFlight.set(this.requests.inFlight));
  }

  /** The content type of `expose`. */
  get contentType(): string {
    return this.own.contentType;
  }

  /** Counts a failure that was reported to a caller. */
  failed(key: FailureKey): void {
    this.families.failures.inc(failureLabels(key));
  }

  watchPools(server: ServerName, pool: PoolName): PoolWatch {
    return getOrMake(this.pools, `${server} ${pool}`, () => {
      const watch = new PoolWatch(this.families, server, pool);
      this.refreshOwn.push(() => watch.read());
      return watch;
    });
  }

  /** Watches a cache that counts its own hits and misses. */
  watchCache(cache: string, reads: Readonly<CacheReads>): void {
    const [hits, misses] = ["hit", "miss"].map((outcome) => this.families.cacheReads.labels({ cache, outcome }));
    const reported: CacheReads = { hits: 0, misses: 0 };
    this.refreshOwn.push(() => {
      hits?.inc(reads.hits - reported.hits);
      misses?.inc(reads.misses - reported.misses);
      Object.assign(reported, reads);
    });
  }

  /** Measures the process. @returns stops it when disposed of */
  measureProcess(): Disposable {
    const readings = new ProcessReadings(this.families);
    this.refreshOwn.push(() => readings.read());
    return readings;
  }

  /** Updates the values from the database before each read. */
  beforeReadingShared(refresh: () => Promise<void>): void {
    this.refreshShared.push(refresh);
  }

  /** The families of this process. */
  async read(): Promise<Readings> {
    for (const refresh of this.refreshOwn) refresh();
    return this.own.getMetricsAsJSON();
  }

  /**
   * Everything in Prometheus' text format.
   * @param processes text of all processes together; by default that of this one
   */
  async expose(processes?: string): Promise<string> {
    if (processes === undefined) for (const refresh of this.refreshOwn) refresh();
    await Promise.all(this.refreshShared.map((refresh) => refresh()));
    return `${(processes ?? (await this.own.metrics())).trimEnd()}\n\n${await this.shared.metrics()}`;
  }
}

const failureLabels = (key: FailureKey) => ({ status: STATUS[FAILURES[key].code], reason: key });
