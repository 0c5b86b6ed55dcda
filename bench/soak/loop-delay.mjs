/** Loaded into the server that is soaked (`--import`): writes down, period by period, how late its event loop was. */
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const { SOAK_LOOP_FILE, SOAK_PERIOD_MS } = process.env;
/** milliseconds between two looks; each delay that is told has them in it */
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
