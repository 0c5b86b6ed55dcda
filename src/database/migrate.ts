/**
 * Brings a database to the state of `prisma/migrations`, with Prisma's own bookkeeping (`_prisma_migrations`), so that
 * `prisma migrate deploy` may be used on the same database. Prisma's schema engine runs as WebAssembly, hence no binary is
 * downloaded, and it is loaded only when there is something to do.
 */
import { readdirSync, existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaContainer, SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";
import { type Client, Pool, type PoolConfig, type QueryResult } from "pg";
import { withSession } from "./session.js";

/** The repository's root: the nearest folder above this file, in `src` or in `dist`, that holds package.json. */
export function projectRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, "package.json"))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error("package.json was not found above the migrations");
    folder = parent;
  }
  return folder;
}

const migrationsFolder = () => path.join(projectRoot(), "prisma", "migrations");
const schemaFolder = () => path.join(projectRoot(), "prisma", "schema");

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

/** The files of prisma/schema, as the engine takes them. */
function schemaFiles(): SchemaContainer[] {
  return readdirSync(schemaFolder())
    .filter((name) => name.endsWith(".prisma"))
    .toSorted()
    .map((name) => path.join(schemaFolder(), name))
    .map((file) => ({ path: file, content: readFileSync(file, "utf8") }));
}

/** pg_type's numbers of the one-character type of PostgreSQL's catalogue, and of text. */
const CHAR_TYPE = 18;
const TEXT_TYPE = 25;

/**
 * Prisma's adapter with two bugs fixed.
 *
 * It splits a script at every semicolon, wherever it stands, and runs the parts one by one. Sent whole instead, a script
 * keeps its strings and comments, and PostgreSQL runs it in one transaction: a migration that fails leaves no trace.
 *
 * And it refuses the one-character columns of the catalogue, which the engine reads to compare a database with the schema.
 * They pass as text, and are declared as characters afterwards.
 */
class MigrationAdapterFactory extends PrismaPg {
  private readonly charColumns = new WeakMap<object, number[]>();

  constructor(pool: Pool) {
    super(pool);
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<QueryResult>;
    Object.assign(pool, { query: async (...args: unknown[]) => this.passCharsAsText(await query(...args)) });
  }

  override async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const column of this.charColumns.get(result.rows) ?? [])
        result.columnTypes[column] = ColumnTypeEnum.Character;
      return result;
    };
    adapter.executeScript = async (script) => {
      await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
    };
    return adapter;
  }

  private passCharsAsText(result: QueryResult): QueryResult {
    const columns = (result.fields ?? []).flatMap((field, column) => (field.dataTypeID === CHAR_TYPE ? [column] : []));
    for (const column of columns) result.fields[column]!.dataTypeID = TEXT_TYPE;
    if (columns.length > 0) this.charColumns.set(result.rows, columns);
    return result;
  }
}

/** The part that is needed of a global which the types of Node 20 leave to those of browsers. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

function raise(message: string): never {
  throw new Error(message);
}

let loading: Promise<typeof SchemaEngine> | undefined;

/** Loads the engine once for each process; takes about a tenth of a second. */
function loadEngine(): Promise<typeof SchemaEngine> {
  return (loading ??= (async () => {
    const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
    const { SchemaEngine: Engine, __wbg_set_wasm: setExports } = bindings;
    const script = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
    const bytes = await readFile(script.replace(/\.js$/, ".wasm"));
    const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": { ...bindings } });
    setExports(instance.exports);
    // The engine reports a fault of its own through this global, before it stops.
    Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: raise } });
    const { __wbindgen_start: start } = instance.exports as { __wbindgen_start: () => void };
    start();
    return Engine;
  })());
}

/** Runs `work` with an engine that is connected to the database, and closes both. */
async function withEngine<T>(config: PoolConfig, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const Engine = await loadEngine();
  const pool = new Pool({ ...config, max: 1 });
  const adapter = bindMigrationAwareSqlAdapterFactory(new MigrationAdapterFactory(pool));
  const engine = await Engine.new({ datamodels: undefined }, () => {}, adapter);
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}

async function hasBookkeeping(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found",
  );
  return rows[0]?.found === true;
}

async function pendingFor(client: Client, names = migrationNames()): Promise<string[]> {
  if (!(await hasBookkeeping(client))) return names;
  const { rows } = await client.query<{ name: string }>(
    "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  const applied = new Set(rows.map((row) => row.name));
  return names.filter((name) => !applied.has(name));
}

/** Names of the migrations that the database still lacks, oldest first. Plain SQL; takes milliseconds. */
export const pendingMigrations = (connectionString: string): Promise<string[]> =>
  withSession(connectionString, "migrate", (client) => pendingFor(client));

/** Any number that nobody else locks; Prisma's engine has 72707369. */
const MIGRATION_LOCK = 72_707_370;
const TURN_MS = 100;

/**
 * Waits until no other process migrates. By asking again and again: a session that waits inside of PostgreSQL has a snapshot,
 * for whose end the other's CREATE INDEX CONCURRENTLY would wait in its turn.
 */
async function takeTurn(client: Client): Promise<void> {
  const ask = () => client.query<{ got: boolean }>("SELECT pg_try_advisory_lock($1) AS got", [MIGRATION_LOCK]);
  while (!(await ask()).rows[0]?.got) await sleep(TURN_MS);
}

/**
 * Milliseconds that a migration waits for a table. Everybody else who wants that table waits behind it, and it itself behind a
 * statement that may be a long one: rather than that it gives up, lets them pass, and tries again.
 */
export const LOCK_TIMEOUT_MS = 1_000;
const ATTEMPTS = 100;
const PAUSE_MS = 500;

/**
 * Applies the pending migrations, each in a transaction of its own. Processes that start at once take turns.
 * @param names those to apply, oldest first, where it is not to be all of them
 * @param folder where they are
 * @returns the names of those applied, none when the database was up to date
 */
export async function migrate(
  connectionString: string,
  names?: string[],
  folder = migrationsFolder(),
): Promise<string[]> {
  const wanted = names ?? migrationNames(folder);
  return withSession(connectionString, "migrate", async (client) => {
    if ((await pendingFor(client, wanted)).length === 0) return [];
    await takeTurn(client);
    const pending = await pendingFor(client, wanted);
    for (const last of batchesOf(pending, folder)) {
      const list = migrationList(folder, wanted.slice(0, wanted.indexOf(last) + 1));
      const index = concurrentIndex(sqlOf(folder, last));
      await applyWithPatience(client, list, connectionString, index);
    }
    return pending;
  });
}

/** The last migration of each batch: those go together that are transactions, and what can't be one goes alone. */
function batchesOf(pending: string[], folder: string): string[] {
  const isAlone = (name: string | undefined) => name !== undefined && concurrentIndex(sqlOf(folder, name)) !== null;
  return pending.filter((name, index) => isAlone(name) || isAlone(pending[index + 1]) || index === pending.length - 1);
}

/** The index that a migration makes or drops without locking its table, outside of any transaction; null where there is none. */
const concurrentIndex = (migration: string): string | null =>
  /^(?:CREATE|CREATE UNIQUE|DROP) INDEX CONCURRENTLY (?:IF EXISTS )?"?(\w+)"?/im.exec(
    migration.replace(/[^\S\n]+/g, " ").replace(/^ /gm, ""),
  )?.[1] ?? null;

async function applyWithPatience(
  client: Client,
  migrationsList: MigrationList,
  connectionString: string,
  index: string | null,
): Promise<void> {
  // of what waits for nobody's table the waits keep nobody waiting
  const config = { connectionString, lock_timeout: index === null ? LOCK_TIMEOUT_MS : 0 };
  for (let attempt = 1; ; attempt += 1) {
    await forgetFailures(client);
    if (index !== null) await dropInvalid(client, index);
    try {
      await withEngine(config, (engine) => engine.applyMigrations({ migrationsList, filters: NO_FILTERS }));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !/\b55P03\b|lock timeout/.test(String(error))) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** An index that was made without a lock, and whose making was cut off, is left behind and of no use. */
async function dropInvalid(client: Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid",
    [`"${index}"`],
  );
  if (rowCount) await client.query(`DROP INDEX CONCURRENTLY "${index}"`);
}

/** A migration that failed was rolled back with its transaction and may be tried again; Prisma refuses until it is marked as rolled back. */
async function forgetFailures(client: Client): Promise<void> {
  if (!(await hasBookkeeping(client))) return;
  await client.query(
    "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL",
  );
}

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** SQL that leads from the database to prisma/schema; empty when they agree. */
export async function drift(connectionString: string): Promise<string> {
  const files = schemaFiles();
  const result = await withEngine({ connectionString }, (engine) =>
    engine.diff({
      from: { tag: "schemaDatasource", files, configDir: projectRoot() },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    }),
  );
  const script = (result.stdout ?? "").trim();
  return script === "-- This is an empty migration." ? "" : script;
}
