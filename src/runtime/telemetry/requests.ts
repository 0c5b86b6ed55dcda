/** Metrics of requests. `observe` is called once for each. */
import type { Families } from "./families.js";
import { getOrMake } from "../../lib/get-or-make.js";

/** Requests of one method and pattern; always the same object, so it can be a key. */
export interface Route {
  readonly method: string;
  /** `/posts/:id`, or `unmatched` */
  readonly path: string;
}

/** The series of one route and status, looked up once. */
interface Series {
  count(): void;
  time(seconds: number): void;
}

export class RequestMetrics {
  private readonly series = new Map<Route, Map<number, Series>>();
  inFlight = 0;

  constructor(private readonly families: Families) {}

  /**
   * Counts an answered request; takes less than a microsecond.
   * @param route from the router, which has a limited number of them
   */
  observe(route: Route, status: number, seconds: number): void {
    const series = this.series.get(route)?.get(status) ?? this.add(route, status);
    series.count();
    series.time(seconds);
  }

  private add(route: Route, status: number): Series {
    const { requests, requestSeconds } = this.families;
    const labels = { method: route.method, route: route.path, status: String(status) };
    const [counter, histogram] = [requests.labels(labels), requestSeconds.labels(labels)];
    const series = { count: () => counter.inc(), time: (seconds: number) => histogram.observe(seconds) };
    getOrMake(this.series, route, () => new Map()).set(status, series);
    return series;
  }
}
