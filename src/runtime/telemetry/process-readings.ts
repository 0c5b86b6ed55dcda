/** Metrics of the process: memory, processor time, and event-loop delay. */
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { Families } from "./families.js";

/** Milliseconds; each measured value is this plus the delay. */
const RESOLUTION = 20;

const delayOf = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1e3) : 0;

/** Measures until it is disposed of. */
export class ProcessReadings implements Disposable {
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
