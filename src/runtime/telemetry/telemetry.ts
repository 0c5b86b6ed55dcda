/** Metrics and traces of a board. */
import type { Config } from "../../config.js";
import type { Logger } from "./log.js";
import { Metrics } from "./metrics.js";
import { openTracing, type Tracing } from "./tracing.js";

export interface Telemetry {
  readonly metrics: Metrics;
  /** null if no collector is configured */
  readonly tracing: Tracing | null;
}

export const openTelemetry = async (config: Config, log: Logger): Promise<Telemetry> => ({
  metrics: new Metrics(),
  tracing: await openTracing(config, log),
});
