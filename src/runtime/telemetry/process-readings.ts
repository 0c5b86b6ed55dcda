/** What the process itself is like: memory, processor, and how late its timers run. */
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { Families } from "./families.js";

/** Milliseconds; each measurement is this and the delay. */
const RESOLUTION = 20;

const delayOf = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1e3) : 0;

/** Measures from when it is made until it is disposed of. */
export class ProcessReadings implements Disposable {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  private processorSeconds = 0;

  constructor(private readonly families: Families) {
    this.delay.enable();
    families.startTime.set(Math.round(performance.timeOrigin) / 1e3);
    families.processes.set(1);
  }

  /** Brings the families up to date. The delays are those since the last time. */
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
