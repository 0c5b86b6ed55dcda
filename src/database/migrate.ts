/**
 * Applies `prisma/migrations`, with Prisma's own table of migrations (`_prisma_migrations`), so that
 * `prisma migrate deploy` can be used on the same database. Prisma's schema engine runs as WebAssembly, so no binary is
 * downloaded; it is loaded only if migrations are pending.
 */
import { readdirSync, existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";
import type { Client, Pool as DriverPool } from "pg";
import { projectRoot } from "../lib/project-root.js";
import { KEPT_ALIVE, Pool } from "./pool.js";
import { hasTable, WITHOUT_TIMEOUTS, withSession } from "./session.js";
import { LOCKS } from "./lock.js";

const migrationsFolder = () => path.join(projectRoot(), "prisma", "migrations");

/** Names of all migrations of this version of the board, oldest first. */
export function migrationNames(folder = migrationsFolder()): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, "migration.sql")))
    .map((entry) => entry.name)
    .toSorted();
}

const sqlOf = (folder: string, name: string): string => readFileSync(path.join(folder, name, "migration.sql"), "utf8");

function migrationList(folder: string, names: string[]): MigrationList {
  const file = (name: string) => readFileSync(path.join(folder, name), "utf8");
  return {
    baseDir: folder,
    lockfile: { path: "migration_lock.toml", content: file("migration_lock.toml") },
    shadowDbInitScript: "",
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: sqlOf(folder, name) } },
    })),
  };
}

/** Records the migration that has begun as finished. */
const FINISH = "UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL";

/**
 * Prisma's adapter splits a script at every semicolon, even in strings and comments, and runs the parts one by one. Here a script is sent
 * as a whole, and PostgreSQL runs it in one transaction, so that a failed migration changes nothing. The engine records it as finished
 * afterwards; so that one whose process is killed in between is not applied again, its transaction does so too.
 */
export class MigrationAdapterFactory extends PrismaPg {
  constructor(
    pool: DriverPool,
    private readonly lockTimeout = 0,
  ) {
    super(pool);
  }

  override async connect() {
    const adapter = await super.connect();
    const timeouts = `${WITHOUT_TIMEOUTS}; SET lock_timeout = ${this.lockTimeout}`;
    await adapter.executeRaw({ sql: timeouts, args: [], argTypes: [] });
    adapter.executeScript = async (script) => {
      const sql = isConcurrent(script) ? script : `${script}\n;${FINISH}`;
      await adapter.executeRaw({ sql, args: [], argTypes: [] });
    };
    return adapter;
  }
}

/** The part of the global that is used; the types of Node 20 don't declare it. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

function raise(message: string): never {
  throw new Error(message);
}

let loading: Promise<typeof SchemaEngine> | undefined;

/** Loads the engine, once per process; takes about a tenth of a second. */
function loadEngine(): Promise<typeof SchemaEngine> {
  return (loading ??= (async () => {
    const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
    const { SchemaEngine: Engine, __wbg_set_wasm: setExports } = bindings;
    const script = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
    const bytes = await readFile(script.replace(/\.js$/, ".wasm"));
    const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": { ...bindings } });
    setExports(instance.exports);
    // The engine reports panics through this global.
    Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: raise } });
    const { __wbindgen_start: start } = instance.exports as { __wbindgen_start: () => void };
    start();
    return Engine;
  })());
}

/**
 * Runs `work` with an engine that is connected to the database, without timeouts but that of locks, and closes both.
 * @param lockTimeout in milliseconds; 0 for none
 */
export async function withEngine<T>(
  { connectionString, lockTimeout = 0 }: { connectionString: string; lockTimeout?: number },
  work: (engine: SchemaEngine) => Promise<T>,
  Factory = MigrationAdapterFactory,
): Promise<T> {
  const Engine = await loadEngine();
  const pool = new Pool({ connectionString, ...KEPT_ALIVE, max: 1 });
  pool.on("error", () => undefined); // the next statement reports it
  const adapter = bindMigrationAwareSqlAdapterFactory(new Factory(pool, lockTimeout));
  const engine = await Engine.new({ datamodels: undefined }, () => {}, adapter);
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}

async function pendingFor(client: Client, names = migrationNames()): Promise<string[]> {
  if (!(await hasTable(client, "_prisma_migrations"))) return names;
  const { rows } = await client.query<{ name: string }>(
    "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  const applied = new Set(rows.map((row) => row.name));
  return names.filter((name) => !applied.has(name));
}

/** Names of pending migrations, oldest first. Plain SQL; takes milliseconds. */
export const pendingMigrations = (connectionString: string): Promise<string[]> =>
  withSession(connectionString, "migrate", (client) => pendingFor(client));

const POLL_MS = 100;

/** Waits until no other process migrates, and until PostgreSQL has finished the statement of one that was killed. */
async function lockMigrations(client: Client): Promise<void> {
  await lock(client, LOCKS.migration);
  await lock(client, LOCKS.prisma);
  await client.query("SELECT pg_advisory_unlock($1)", [LOCKS.prisma]); // the engine takes it
}

/**
 * Takes a lock until the session ends. It polls, because a session that waits for a lock in PostgreSQL has a snapshot,
 * for whose end the other process's CREATE INDEX CONCURRENTLY would wait.
 */
async function lock(client: Client, key: number): Promise<void> {
  const attempt = () => client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [key]);
  while (!(await attempt()).rows[0]?.locked) await sleep(POLL_MS);
}

/**
 * Lock timeout of a migration in milliseconds. While it waits for a table behind a long statement, all other statements on the
 * table wait behind it, so it gives up after this time and retries later.
 */
export const LOCK_TIMEOUT_MS = 1_000;
const ATTEMPTS = 100;
const RETRY_MS = 500;
/** A lock timeout, or, in Prisma's words, a deadlock. */
const RETRYABLE = /\b55P03\b|lock timeout|Transaction write conflict/;

/**
 * Applies the pending migrations, each in a transaction of its own; only one process at a time does so.
 * @param names the migrations to apply, oldest first; by default all
 * @param folder of the migrations
 * @returns the names of the applied migrations
 */
export async function migrate(
  connectionString: string,
  names?: string[],
  folder = migrationsFolder(),
): Promise<string[]> {
  const wanted = names ?? migrationNames(folder);
  return withSession(connectionString, "migrate", async (client) => {
    if ((await pendingFor(client, wanted)).length === 0) return [];
    await lockMigrations(client);
    const pending = await pendingFor(client, wanted);
    for (const last of batchesOf(pending, folder)) {
      const list = migrationList(folder, wanted.slice(0, wanted.indexOf(last) + 1));
      await applyWithRetries(client, list, connectionString, sqlOf(folder, last));
    }
    return pending;
  });
}

/** The last migration of each batch: migrations that can't run in a transaction are applied separately. */
function batchesOf(pending: string[], folder: string): string[] {
  const isAlone = (name: string | undefined) => name !== undefined && isConcurrent(sqlOf(folder, name));
  return pending.filter((name, index) => isAlone(name) || isAlone(pending[index + 1]) || index === pending.length - 1);
}

const withSingleBlanks = (script: string) => script.replace(/[^\S\n]+/g, " ").replace(/^ /gm, "");

/** Whether a migration can't run in a transaction. */
const isConcurrent = (script: string): boolean =>
  /^(?:CREATE|DROP|REINDEX)\b.*\bCONCURRENTLY\b/im.test(withSingleBlanks(script));

const createdConcurrently = (script: string): string | undefined =>
  /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "?(\w+)"?/im.exec(withSingleBlanks(script))?.[1];

async function applyWithRetries(
  client: Client,
  migrationsList: MigrationList,
  connectionString: string,
  lastScript: string,
): Promise<void> {
  // concurrent index builds wait without blocking other statements
  const lockTimeout = isConcurrent(lastScript) ? 0 : LOCK_TIMEOUT_MS;
  const config = { connectionString, lockTimeout };
  const index = createdConcurrently(lastScript);
  for (let attempt = 1; ; attempt += 1) {
    await markRolledBack(client);
    if (index !== undefined) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${index}"`); // of an interrupted attempt
    try {
      await withEngine(config, (engine) => engine.applyMigrations({ migrationsList, filters: NO_FILTERS }));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRYABLE.test(String(error))) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** Marks failed migrations as rolled back, which their transactions are: otherwise Prisma refuses to retry them. */
async function markRolledBack(client: Client): Promise<void> {
  if (!(await hasTable(client, "_prisma_migrations"))) return;
  await client.query(
    "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL",
  );
}

export const NO_FILTERS = { externalTables: [], externalEnums: [] };
