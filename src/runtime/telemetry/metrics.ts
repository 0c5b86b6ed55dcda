/** The metrics of a board, in registries of its own, since tests have several boards in one process; and its telemetry, with traces. */
import { Counter, Gauge, Histogram, type MetricObjectWithValues, type MetricValue, Registry } from "prom-client";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { FAILURES, type FailureKey, STATUS } from "../../errors.js";
import { DEFINITIONS, type MetricDefinition, type MetricKey, type PoolName, type ServerName } from "./definitions.js";
import { getOrMake } from "../../lib/get-or-make.js";
import type { Config } from "../../config.js";
import type { Logger } from "./log.js";
import { openTracing, type Tracing } from "./tracing.js";

interface Kinds {
  counter: Counter;
  gauge: Gauge;
  histogram: Histogram;
}

export type Families = { [Key in MetricKey]: Kinds[(typeof DEFINITIONS)[Key]["kind"]] };

function make(definition: MetricDefinition, register: Registry): Kinds[keyof Kinds] {
  const { kind, name, help, labels = {}, buckets = [], across: aggregator = "sum" } = definition;
  const options = { name, help, labelNames: Object.keys(labels), registers: [register] };
  if (kind === "counter") return new Counter({ ...options, aggregator });
  if (kind === "gauge") return new Gauge({ ...options, aggregator });
  return new Histogram({ ...options, aggregator, buckets: [...buckets] });
}

/** @param own registry of values that are summed over processes @param shared registry of values that are the same for all */
const makeFamilies = (own: Registry, shared: Registry): Families =>
  Object.fromEntries(
    Object.entries<MetricDefinition>(DEFINITIONS).map(([key, definition]) => [
      key,
      make(definition, definition.isShared ? shared : own),
    ]),
  ) as Families;

/** The families of one process, serialized for another one. */
export type Readings = MetricObjectWithValues<MetricValue<string>>[];

export interface CacheReads {
  hits: number;
  misses: number;
}

/** Requests of one method and pattern. */
export interface Route {
  readonly method: string;
  /** `/posts/:id`, or `unmatched` */
  readonly path: string;
}

export class Metrics {
  /** values of this process, which are summed over all processes */
  private readonly own = new Registry();
  /** values from the database, the same for all processes */
  private readonly shared = new Registry();
  private readonly refreshOwn: (() => void)[] = [];
  private readonly refreshShared: (() => Promise<void>)[] = [];
  readonly families: Families = makeFamilies(this.own, this.shared);
  /** requests in progress */
  inFlight = 0;
  private readonly pools = new Map<string, PoolWatch>();

  constructor() {
    // Counters with alerts start at 0, so that the first failure is an increase.
    for (const key of Object.keys(FAILURES) as FailureKey[]) this.families.failures.inc(failureLabels(key), 0);
    this.families.uploads.inc({ outcome: "completed" }, 0);
    this.refreshOwn.push(() => this.families.requestsInFlight.set(this.inFlight));
  }

  get contentType(): string {
    return this.own.contentType;
  }

  /** Counts an answered request. @param route from the router, which has a limited number of them */
  answered({ method, path }: Route, status: number, seconds: number): void {
    const labels = { method, route: path, status: String(status) };
    this.families.requests.inc(labels);
    this.families.requestSeconds.observe(labels, seconds);
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

export interface Telemetry {
  readonly metrics: Metrics;
  /** null if no collector is configured */
  readonly tracing: Tracing | null;
}

export const openTelemetry = async (config: Config, log: Logger): Promise<Telemetry> => ({
  metrics: new Metrics(),
  tracing: await openTracing(config, log),
});

/** The properties of `pg.Pool` that are measured. */
interface PoolLike {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
  options: { max?: number };
}

/** Metrics of the pools of one kind and their statements. */
class PoolWatch {
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

/** Milliseconds; each measured value is this plus the delay. */
const RESOLUTION = 20;

const delayOf = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1e3) : 0;

/** Metrics of the process: memory, processor time, and event-loop delay. Measures until it is disposed of. */
class ProcessReadings implements Disposable {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  private processorSeconds = 0;

  constructor(private readonly families: Families) {
    this.delay.enable();
    families.startTime.set(Math.round(performance.timeOrigin) / 1e3);
    families.processes.set(1);
  }

  /** Updates the families. Delays are those since the last update. */
  read(): void {
    const { families, delay } = this;
    families.eventLoopMean.set(delayOf(delay.mean));
    families.eventLoop99.set(delayOf(delay.percentile(99)));
    families.eventLoopMax.set(delayOf(delay.max));
    delay.reset();
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    families.residentMemory.set(rss);
    families.heapUsed.set(heapUsed);
    families.heapTotal.set(heapTotal);
    families.externalMemory.set(external);
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    families.cpuSeconds.inc(seconds - this.processorSeconds);
    this.processorSeconds = seconds;
  }

  [Symbol.dispose](): void {
    this.delay.disable();
  }
}
