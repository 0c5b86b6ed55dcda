/** The database that the configuration means, running and up to date. */
import type { Config } from "../config.js";
import { migrateQueue } from "../runtime/jobs/queue.js";
import type { Logger } from "../runtime/telemetry/log.js";
import { openEmbedded } from "./embedded.js";
import { migrate } from "./migrate.js";

export interface OpenDatabase extends AsyncDisposable {
  url: string;
}

/** Connections that a server process has beside its pool (jobs, events, the registry of workers), with room to spare. */
const BESIDE_POOL = 10;
/** For the processes that share the embedded database, the `board` command and psql. */
const OTHERS = 40;

/** Connections that the embedded server allows: enough for all processes of this board. */
const maxConnections = ({ WORKERS, DATABASE_CONNECTIONS }: Config): number =>
  Math.max(100, Math.max(DATABASE_CONNECTIONS, 2 * WORKERS) + BESIDE_POOL * WORKERS + OTHERS);

/**
 * Starts the embedded database unless there is another, and brings the tables up to date. Disposing stops what was started.
 * @throws EmbeddedError, and what PostgreSQL says
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
