import type { Config } from "../config.js";
import { migrateQueue } from "../runtime/jobs/queue.js";
import type { Logger } from "../runtime/telemetry/log.js";
import { openServer } from "./embedded.js";
import { migrate } from "./migrate.js";
import { withSession } from "./session.js";
import { requireSettings } from "./settings.js";

/**
 * Starts the embedded database unless `DATABASE_URL` is set, and applies migrations. Disposing stops it.
 * @throws OperatorError, and errors of PostgreSQL
 */
export async function openDatabase(config: Config, log: Logger): Promise<AsyncDisposable & { url: string }> {
  const database = await openServer(config, (line, isTrouble) => log[isTrouble ? "warn" : "debug"](line));
  try {
    if (config.DATABASE_URL) await withSession(database.url, "start", requireSettings);
    const applied = await migrate(database.url);
    if (applied.length > 0) log.info({ migrations: applied }, "database migrated");
    await migrateQueue(database.url, log);
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}
