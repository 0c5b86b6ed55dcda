/** The boards that are recorded: the same records in every recording, with fixed times in 2020. */
import { chmod } from "node:fs/promises";
import path from "node:path";
import { sql } from "../../src/database/client.js";
import { openBoard } from "../../src/board.js";
import { loadConfig } from "../../src/config.js";
import { type EmbeddedDatabase, openEmbedded } from "../../src/database/embedded.js";
import { listen } from "../../src/http/server.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import type { LogLine, TestBoard } from "../support/board.js";
import { Client } from "../support/client.js";
import { discard } from "../support/clusters.js";
import { FAST } from "../support/embedded-settings.js";
import { Factory } from "../support/factory.js";
import { Folder } from "../support/folder.js";
import { Recorder } from "./recorder.js";

/** Settings as tests have them: cheap passwords, no limit in the way, no jobs. */
const SETTINGS = {
  HOST: "127.0.0.1",
  PORT: "0",
  SECRET: "the same secret in every recording",
  BCRYPT_COST: "4",
  ...Object.fromEntries(["ANONYMOUS", "MEMBER", "GOLD", "PLATINUM"].map((level) => [`LIMIT_${level}`, "1000000000"])),
  LIMIT_ADDRESS: "1000000000",
  ...Object.fromEntries(
    ["ACCOUNTS", "DMAILS", "FORUM_POSTS", "POST_EDITS", "RECORD_EDITS", "VOTES", "FAILED_UPLOADS", "COMMENTS"].map(
      (what) => [`${what}_PER_HOUR`, "100000"],
    ),
  ),
  LOGIN_ATTEMPTS_PER_HOUR: "100000",
  UPLOADS_PER_DAY: "10000",
  FLAGS_PER_DAY: "10000",
  APPEALS_PER_DAY: "10000",
  MAX_REQUESTS_PER_ADDRESS: "1000",
  MAX_BODY_BYTES: "20000",
  JOBS: "false",
};

/** The database of a recording, and the folder that it is in. */
export class Database implements AsyncDisposable {
  private constructor(
    readonly folder: Folder,
    private readonly embedded: EmbeddedDatabase,
  ) {}

  static async open(): Promise<Database> {
    const folder = await Folder.make();
    await chmod(folder.path, 0o711); // the database's user has to enter it
    return new Database(folder, await openEmbedded({ dataDir: folder.path, settings: FAST }));
  }

  get url(): string {
    return this.embedded.url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded.close();
    discard(this.folder.path);
  }
}

export interface RecordedBoard extends TestBoard {
  recorder: Recorder;
}

/** A board of the database, with these settings over the usual ones. */
export async function startBoard(database: Database, settings: Record<string, string> = {}): Promise<RecordedBoard> {
  const config = loadConfig({
    ...SETTINGS,
    DATABASE_URL: database.url,
    DATA_DIR: path.join(database.folder.path, "data"),
    ...settings,
  });
  const log: LogLine[] = [];
  const board = await openBoard(config, {
    log: createLog("info", { write: (line) => void log.push(JSON.parse(line) as LogLine) }),
  });
  const server = await listen(board);
  const anonymous = new Client(server.url);
  const recorder = new Recorder(routesIn(log));
  return {
    url: server.url,
    board,
    anonymous,
    make: new Factory(board, anonymous),
    log,
    folder: database.folder.path,
    recorder,
    async [Symbol.asyncDispose]() {
      recorder[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
    },
  };
}

/** What the log says of requests: a line is written when the answer is over, which may be a moment after it is read. */
function routesIn(log: LogLine[]): (requestId: string) => Promise<string | null> {
  const find = (id: string) => log.findLast((line) => (line.req as { id?: string } | undefined)?.id === id && line.res);
  return async (id) => {
    for (let tries = 0; !find(id) && tries < 20; tries += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    const { route, operation = "" } = (find(id) ?? {}) as { route?: string; operation?: string };
    return route === undefined ? null : `${route} ${operation}`.trim();
  };
}

/** Gives every time in the database a value that depends on the record's number alone. */
export async function freezeTimes({ board: { database, pool } }: TestBoard): Promise<void> {
  const columns = await database.query<{ table: string; column: string; keyed: boolean }>(sql`
    SELECT c.table_name AS table, c.column_name AS column,
           EXISTS (SELECT FROM information_schema.columns AS k
                    WHERE k.table_schema = 'public' AND k.table_name = c.table_name AND k.column_name = 'id'
                      AND k.data_type IN ('integer', 'bigint')) AS keyed
      FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.data_type = 'timestamp with time zone' AND t.table_type = 'BASE TABLE'
       AND c.table_name NOT IN ('sessions', 'limits', 'viewer_writes')`);
  const values = columns
    .filter(({ keyed, table }) => keyed && !table.startsWith("_"))
    .map(({ table, column }) => {
      const time = "timestamptz '2020-01-02 03:04:05.678+00' + id * interval '1 minute'";
      return `UPDATE "${table}" SET "${column}" = ${time} WHERE "${column}" > '2021-01-01'`;
    });
  await pool.query(["SET LOCAL session_replication_role = replica", ...values].join("; ")); // together they are one transaction
}
