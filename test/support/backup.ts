/** The contents of a board, row by row and byte by byte, and places to restore it into. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { restoreBackup } from "../../src/operations/backup/restore.js";
import { DiskStorage } from "../../src/storage/disk.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { createDatabase, type TestDatabase } from "./database.js";
import type { Folder } from "./folder.js";

/** Runs work on a separate connection. */
async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The rows of a statement, run on a separate connection. */
export const query = <Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> =>
  connected(url, async (client) => (await client.query<Row>(sql)).rows);

/** All rows of all tables as text, except those that a backup excludes. */
export const rowsOf = (url: string): Promise<Record<string, string[]>> =>
  connected(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
          AND relname NOT IN ('_prisma_migrations', 'account_recoveries', 'posting_bits', 'posting_builds', 'posting_ids', 'posting_lists',
            'rate_limits', 'user_sessions', 'viewer_writes') ORDER BY 1`,
    );
    const rows: Record<string, string[]> = {};
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`);
      rows[name] = found.rows.map(({ row }) => row);
    }
    return rows;
  });

/** The last values of the sequences. */
export const sequencesOf = (url: string) =>
  query(url, "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1");

/** The queued jobs. */
export const jobsOf = (url: string) =>
  query(
    url,
    `SELECT task_identifier, j.key, j.run_at::text, j.max_attempts, j.priority, payload::text
       FROM graphile_worker.jobs j JOIN graphile_worker._private_jobs USING (id) ORDER BY 1, 2`,
  );

/** Indexes, constraints and triggers of the tables. */
export const rulesOf = (url: string) =>
  query(
    url,
    `SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated AS rule FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT tgrelid::regclass || ' ' || tgname || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
  );

/** The report of `storage verify` on a board where nothing is wrong. */
export const CLEAN = {
  orphans: [],
  missingDerived: [],
  missingOriginals: [],
  unreadable: [],
  temporarySwept: 0,
  repaired: 0,
  ok: true,
};

/** Contents of files by their keys. */
export const filesIn = async (mediaDir: string): Promise<Record<string, string>> => {
  const keys: string[] = [];
  for await (const { key } of new DiskStorage(mediaDir).list()) keys.push(key);
  const contents = await Promise.all(keys.map((key) => readFile(path.join(mediaDir, key), "base64")));
  return Object.fromEntries(keys.map((key, index) => [key, contents[index] ?? ""]));
};

let serial = 0;

/** A target to restore into: the database of a new board, and a folder. */
export class Target implements AsyncDisposable {
  secret: string | null = null;
  private constructor(
    readonly database: TestDatabase,
    readonly mediaDir: string,
    readonly storage = new DiskStorage(mediaDir),
  ) {}

  static async make(folder: Folder): Promise<Target> {
    return new Target(await createDatabase(), folder.at(`media-${(serial += 1)}`));
  }

  get url(): string {
    return this.database.url;
  }

  /** Restores a backup into it. */
  restore(file: string) {
    const saveSecret = (secret: string) => Promise.resolve(void (this.secret = secret));
    const { url: databaseUrl, storage } = this;
    return restoreBackup({ databaseUrl, storage, file, log: createLog("silent"), saveSecret });
  }

  /** The tables with rows, except the one in which a new board has a row; and the files. */
  async contents(): Promise<string[]> {
    const rows = Object.entries(await rowsOf(this.url)).filter(
      ([name, { length }]) => length > 0 && name !== "tag_generation",
    );
    return [...rows.map(([name]) => name), ...Object.keys(await filesIn(this.mediaDir))];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.storage[Symbol.asyncDispose]();
    await this.database.drop();
  }
}
