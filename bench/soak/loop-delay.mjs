/** Loaded into the soaked server (`--import`): records the delay of its event loop, period by period. */
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const { SOAK_LOOP_FILE, SOAK_PERIOD_MS } = process.env;
/** milliseconds between two samples, which are part of each reported delay */
const RESOLUTION = 10;

const file = SOAK_LOOP_FILE;
if (file) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION);
  delays.enable();
  setInterval(() => {
    appendFileSync(file, `${JSON.stringify({ p99: late(delays.percentile(99)), max: late(delays.max) })}\n`);
    delays.reset();
  }, Number(SOAK_PERIOD_MS)).unref();
}
