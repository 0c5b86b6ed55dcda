/** Opens the configured database and migrates it. */
import type { Config } from "../config.js";
import { migrateQueue } from "../runtime/jobs/queue.js";
import type { Logger } from "../runtime/telemetry/log.js";
import { openEmbedded } from "./embedded.js";
import { migrate } from "./migrate.js";

export interface OpenDatabase extends AsyncDisposable {
  url: string;
}

/** Connections of a server process outside its pool (jobs, events, the registry of workers), with a reserve. */
const BESIDE_POOL = 10;
/** Connections of other processes: the `board` command, psql. */
const OTHERS = 40;

/** `max_connections` of the embedded server: enough for all processes of this board. */
const maxConnections = ({ WORKERS, DATABASE_CONNECTIONS }: Config): number =>
  Math.max(100, Math.max(DATABASE_CONNECTIONS, 2 * WORKERS) + BESIDE_POOL * WORKERS + OTHERS);

/**
 * Starts the embedded database unless `DATABASE_URL` is set, and applies migrations. Disposing stops it.
 * @throws EmbeddedError, and errors of PostgreSQL
 */
export async function openDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  const embedded = config.DATABASE_URL
    ? null
    : await openEmbedded({
        dataDir: config.dataDir,
        log: (line) => log.debug(line),
        settings: { max_connections: String(maxConnections(config)) },
      });
  const database = {
    url: config.DATABASE_URL ?? embedded?.url ?? "",
    async [Symbol.asyncDispose]() {
      await embedded?.close();
    },
  };
  try {
    const applied = await migrate(database.url);
    if (applied.length > 0) log.info({ migrations: applied }, "database migrated");
    await migrateQueue(database.url, log);
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}
