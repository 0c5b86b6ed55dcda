/**
 * Several server processes on one port (`WORKERS`): this one opens the database, starts the others and replaces those that
 * end. It has the decoder of them all, and serves nothing itself. Should it be killed, Node ends the others when they lose it.
 *
 * On SIGHUP it replaces all of them, one after the other: they run what is on the disk by then, code, migrations and `ENV_FILE`.
 * What stays as it was is this process itself: its code, its environment, how many WORKERS there are, and the embedded database.
 */
import { type Config, loadConfig } from "../../config.js";
import { openDatabase } from "../../database/open.js";
import { explainFailure } from "../explain.js";
import type { Stop } from "../../lib/signals.js";
import { Decoder } from "../../media/decoder/decoder.js";
import { shareDecoder } from "../../media/decoder/shared.js";
import { createLog, type Logger } from "../telemetry/log.js";
import { Crew } from "./crew.js";
import { GatheredReadings } from "./readings.js";

/** Connections of one process, so that all together have no more than one alone would. */
const share = ({ DATABASE_CONNECTIONS }: Config, workers: number): string =>
  String(Math.max(2, Math.floor(DATABASE_CONNECTIONS / workers)));

/**
 * Serves with `WORKERS` processes until stopped: first they end, then the database.
 * @param announce called once, when all of them listen
 * @throws WorkerError, EmbeddedError and what else keeps a board from starting
 */
export async function servePrimary(config: Config, stop: Stop, announce: (url: string) => void): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  let latest = config;
  let crew: Crew | undefined;
  const reload = reloading(log, stop, (read) => void (latest = read));
  stop.onReload(() => crew && void reload(crew)); // who is still starting has nothing to reload
  await using database = await openDatabase(config, log);
  if (stop.aborted) return;
  const env = () => ({
    DATABASE_URL: latest.DATABASE_URL ?? database.url,
    DATABASE_CONNECTIONS: share(latest, config.WORKERS),
  });
  using _readings = new GatheredReadings();
  await using decoder = new Decoder({ memory: config.DECODING_MEMORY_BYTES, log });
  using _sharing = shareDecoder(decoder);
  await using processes = new Crew({ size: config.WORKERS, env, grace: () => latest.DRAIN_MS, log });
  const url = await Promise.race([processes.start(), stop.wait().then(() => undefined)]);
  if (url !== undefined) announce(url);
  crew = processes;
  const wish = await stop.wait();
  log.info("stopping");
  await processes.end(wish);
}

/** Replaces the processes of a crew, once more when asked meanwhile. Where that fails those that serve stay, and the log tells. */
function reloading(log: Logger, stop: Stop, use: (config: Config) => void): (crew: Crew) => Promise<void> {
  let [isRunning, isAskedAgain] = [false, false];
  return async (crew) => {
    isAskedAgain = isRunning;
    if (isRunning) return;
    isRunning = true;
    try {
      do {
        isAskedAgain = false;
        log.info("reloading");
        use(loadConfig());
        await crew.replace();
        log.info("reloaded");
      } while (isAskedAgain && !stop.aborted);
    } catch (error) {
      if (!stop.aborted) log.error({ reason: explainFailure(error) }, "the reload was given up");
    } finally {
      isRunning = false;
    }
  };
}
