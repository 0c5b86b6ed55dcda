/**
 * Several server processes on one port (`WORKERS`): this one opens the database, starts the others and replaces those that
 * end. It serves nothing itself. Should it be killed, Node ends the others when they lose it.
 */
import type { Config } from "../config.js";
import { openDatabase } from "../database/open.js";
import type { Stop } from "../lib/signals.js";
import { createLog } from "../telemetry/log.js";
import { Crew } from "./crew.js";

/** Connections of one process, so that all together have no more than one alone would. */
const share = ({ DATABASE_CONNECTIONS, WORKERS }: Config): string =>
  String(Math.max(2, Math.floor(DATABASE_CONNECTIONS / WORKERS)));

/**
 * Serves with `WORKERS` processes until stopped: first they end, then the database.
 * @param announce called once, when all of them listen
 * @throws WorkerError, EmbeddedError and what else keeps a board from starting
 */
export async function servePrimary(config: Config, stop: Stop, announce: (url: string) => void): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  await using database = await openDatabase(config, log);
  if (stop.aborted) return;
  const env = { DATABASE_URL: database.url, DATABASE_CONNECTIONS: share(config) };
  await using crew = new Crew(config.WORKERS, env, log);
  const url = await Promise.race([crew.start(), stop.wait()]);
  if (url !== undefined) announce(url);
  await stop.wait();
  log.info("stopping");
}
