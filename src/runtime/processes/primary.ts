/**
 * Several server processes on one port (`WORKERS`): this one opens the database, starts the others and replaces those that
 * exit. It has the decoder and the counts of limits for all of them, and serves nothing itself. If it is killed, Node ends the others.
 *
 * On SIGHUP it replaces all of them, one after the other: the new ones run the current code, migrations and `ENV_FILE`.
 * This process itself stays the same: its code, its environment, the number of WORKERS, and the embedded database.
 */
import { type Config, loadConfig } from "../../config.js";
import { openDatabase } from "../../database/open.js";
import { explainFailure } from "../explain.js";
import type { Stop } from "../../lib/signals.js";
import { Decoder } from "../../media/decoder/decoder.js";
import { shareDecoder } from "../../media/decoder/shared.js";
import { shareLimits } from "../limits/primary-store.js";
import { createLog, type Logger } from "../telemetry/log.js";
import { Supervisor } from "./supervisor.js";
import { MetricsAggregator } from "./metrics-aggregator.js";

/**
 * Serves with `WORKERS` processes until stopped: first they end, then the database.
 * @param announce called once, when all of them listen
 * @throws OperatorError and other errors of starting a board
 */
export async function servePrimary(config: Config, stop: Stop, announce: (url: string) => void): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  let latest = config;
  let supervisor: Supervisor | undefined;
  const reload = reloading(log, stop, (read) => void (latest = read));
  stop.onReload(() => supervisor && void reload(supervisor)); // nothing to reload while still starting
  await using database = await openDatabase(config, log);
  if (stop.aborted) return;
  const env = () => ({
    DATABASE_URL: latest.DATABASE_URL ?? database.url,
    DATABASE_CONNECTIONS: String(Math.max(2, Math.floor(latest.DATABASE_CONNECTIONS / config.WORKERS))),
  });
  using _readings = new MetricsAggregator();
  await using decoder = new Decoder({ memory: config.DECODING_MEMORY_BYTES, log });
  using _sharing = shareDecoder(decoder);
  using _limits = shareLimits();
  await using processes = new Supervisor({ size: config.WORKERS, env, grace: () => latest.DRAIN_MS, log });
  const url = await Promise.race([processes.start(), stop.wait().then(() => undefined)]);
  if (url !== undefined) announce(url);
  supervisor = processes;
  const reason = await stop.wait();
  log.info("stopping");
  await processes.end(reason);
}

/** Replaces the processes, and again if requested meanwhile. On failure, the current processes stay, and the reason is logged. */
function reloading(log: Logger, stop: Stop, use: (config: Config) => void): (supervisor: Supervisor) => Promise<void> {
  let [isRunning, isAskedAgain] = [false, false];
  return async (supervisor) => {
    isAskedAgain = isRunning;
    if (isRunning) return;
    isRunning = true;
    try {
      do {
        isAskedAgain = false;
        log.info("reloading");
        use(loadConfig());
        await supervisor.replace();
        log.info("reloaded");
      } while (isAskedAgain && !stop.aborted);
    } catch (error) {
      if (!stop.aborted) log.error({ reason: explainFailure(error) }, "the reload was abandoned");
    } finally {
      isRunning = false;
    }
  };
}
