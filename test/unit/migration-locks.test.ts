/** Migrations on a board in use: they block nobody, and run only once if started together. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOCK_TIMEOUT_MS, migrate, migrationNames, pendingMigrations } from "../../src/database/migrate.js";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "../../src/database/__generated__/client.js";
import { identifier, sql } from "../../src/database/client.js";
import { databaseOf } from "../../src/database/database.js";
import { Pool } from "../../src/database/pool.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { Folder } from "../support/folder.js";
import { laterMigrations } from "../support/migrations-folder.js";

const COLUMN = { "20990101000000_column": "ALTER TABLE posts ADD COLUMN later int DEFAULT 1;" };
const INDEX = { "20990102000000_index": "CREATE INDEX CONCURRENTLY later_idx ON posts (source);" };
const LAST = { "20990103000000_last": "CREATE TABLE last (id int PRIMARY KEY);" };

let database: TestDatabase;
let folder: Folder;
let [one, other, third]: pg.Client[] = [];
beforeEach(async () => {
  database = await createDatabase();
  folder = await Folder.make();
  [one, other, third] = [1, 2, 3].map(() => new pg.Client(database.url));
  for (const client of [one, other, third]) await client?.connect();
});
afterEach(async () => {
  for (const client of [one, other, third]) await client?.end();
  await folder[Symbol.asyncDispose]();
  await database.drop();
});

const first = () => one as pg.Client;
const second = () => other as pg.Client;
const observer = () => third as pg.Client;
const isValid = async (index: string): Promise<unknown> => {
  const { rows } = await observer().query("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)", [
    index,
  ]);
  return (rows[0] as { indisvalid: boolean } | undefined)?.indisvalid;
};

describe("a migration of a table that is being read", () => {
  it("gives up after a second to let others pass, and is applied when the reader is done", async () => {
    const migrations = await laterMigrations(folder, COLUMN);
    await first().query("BEGIN; SELECT FROM posts"); // a long statement, or a backup
    const migrated = migrate(database.url, undefined, migrations);
    const isWaiting = async () => {
      const { rowCount } = await first().query(
        "SELECT FROM pg_locks WHERE NOT granted AND relation = 'posts'::regclass",
      );
      return rowCount;
    };
    await expect.poll(isWaiting, { interval: 10 }).toBe(1);
    const began = Date.now();
    await second().query("SELECT FROM posts"); // behind the migration
    expect(Date.now() - began).toBeLessThan(LOCK_TIMEOUT_MS + 2_000); // on a busy machine
    await expect.poll(isWaiting, { interval: 10 }).toBe(1); // it tries again
    await first().query("COMMIT");
    expect(await migrated).toEqual(Object.keys(COLUMN));
    expect((await second().query("SELECT later FROM posts")).fields).toHaveLength(1);
  });
});

describe("an index that is created CONCURRENTLY", () => {
  it("is created once when several processes start together", async () => {
    const migrations = await laterMigrations(folder, { ...COLUMN, ...INDEX, ...LAST });
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, undefined, migrations)));
    expect(applied.flat()).toEqual([...Object.keys(COLUMN), ...Object.keys(INDEX), ...Object.keys(LAST)]);
    expect(await isValid("later_idx")).toBe(true);
    expect(await migrate(database.url, undefined, migrations)).toEqual([]);
  });

  it("waits for readers without blocking others", async () => {
    const migrations = await laterMigrations(folder, INDEX);
    await first().query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM posts");
    const migrated = migrate(database.url, undefined, migrations);
    await expect.poll(() => isValid("later_idx")).toBe(false);
    await second().query("UPDATE posts SET source = ''");
    await first().query("COMMIT");
    expect(await migrated).toEqual(Object.keys(INDEX));
    expect(await isValid("later_idx")).toBe(true);
  });

  it("is created again after an interruption", async () => {
    await first().query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM posts");
    const made = second().query(Object.values(INDEX)[0] ?? "");
    await expect.poll(() => isValid("later_idx")).toBe(false);
    made.catch(() => undefined); // it may be refused before the next statement is answered
    const { rows } = await observer().query("SELECT pid FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONC%'");
    await observer().query("SELECT pg_cancel_backend($1)", [(rows[0] as { pid: number }).pid]);
    await expect(made).rejects.toThrow("canceling statement");
    await first().query("COMMIT");
    expect(await isValid("later_idx")).toBe(false);
    const migrations = await laterMigrations(folder, INDEX);
    expect(await migrate(database.url, undefined, migrations)).toEqual(Object.keys(INDEX));
    expect(await isValid("later_idx")).toBe(true);
  });
});

describe("a migration whose process is killed", () => {
  const CHILD = fileURLToPath(new URL("../support/migrating-child.ts", import.meta.url));
  const isReached = async (state: string) =>
    (
      await observer().query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE $1", [
        state,
      ])
    ).rowCount;
  const outcomes = async (name: string) => {
    const { rows } = await observer().query(
      "SELECT finished_at IS NOT NULL AS finished, rolled_back_at IS NOT NULL AS rolled_back FROM _prisma_migrations WHERE migration_name = $1 ORDER BY started_at",
      [name],
    );
    return rows as unknown;
  };

  /** Starts it in a process of its own, and kills that while PostgreSQL runs a statement like this. */
  async function killedAt(statement: string, migrations: string): Promise<void> {
    const child = spawn(process.execPath, ["--import", "tsx", CHILD, database.url, migrations], { stdio: "inherit" });
    await expect.poll(() => isReached(statement), { timeout: 30_000 }).toBe(1);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  const WAITING = `DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM gate) LOOP PERFORM pg_sleep(0.01); END LOOP; END $$;`;
  const GATED = { "20990103000000_gated": `${WAITING} CREATE TABLE gated (id int) -- without an end` };
  const open = () => first().query("INSERT INTO gate VALUES (1)");
  const isThere = async () => (await observer().query("SELECT to_regclass('gated') IS NOT NULL AS is")).rows as unknown;

  it("is applied once, if PostgreSQL commits it before the next start", async () => {
    const migrations = await laterMigrations(folder, GATED);
    await first().query("CREATE TABLE gate (id int)");
    await killedAt("DO $$%", migrations);
    await open();
    await expect.poll(isThere).toEqual([{ is: true }]);
    expect(await migrate(database.url, undefined, migrations)).toEqual([]);
    expect(await outcomes("20990103000000_gated")).toEqual([{ finished: true, rolled_back: false }]);
  });

  it("is applied once, if PostgreSQL still runs it at the next start", async () => {
    const migrations = await laterMigrations(folder, GATED);
    await first().query("CREATE TABLE gate (id int)");
    await killedAt("DO $$%", migrations);
    const migrated = migrate(database.url, undefined, migrations);
    await expect.poll(() => isReached("SELECT pg_try_advisory_lock%")).toBe(1);
    await open();
    expect(await migrated).toEqual([]);
    expect(await isThere()).toEqual([{ is: true }]);
    expect(await outcomes("20990103000000_gated")).toEqual([{ finished: true, rolled_back: false }]);
  });

  it.each(["before", "after"])(
    "and that creates an index, if it is built %s the next start, is applied",
    async (when) => {
      const migrations = await laterMigrations(folder, INDEX);
      await first().query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM posts");
      await killedAt("CREATE INDEX CONCURRENTLY%", migrations);
      const finish = async () => {
        await first().query("COMMIT");
        await expect.poll(() => isValid("later_idx")).toBe(true);
      };
      if (when === "before") await finish();
      const migrated = migrate(database.url, undefined, migrations);
      if (when === "after") await first().query("COMMIT");
      expect(await migrated).toEqual(Object.keys(INDEX));
      expect(await isValid("later_idx")).toBe(true);
      expect(await outcomes("20990102000000_index")).toEqual([
        { finished: false, rolled_back: true },
        { finished: true, rolled_back: false },
      ]);
    },
  );
});

describe("a database that limits the time of statements, transactions, waits and idle sessions", () => {
  it("is migrated all the same", async () => {
    const slow = { "20990101000000_slow": "DO $$ BEGIN PERFORM pg_sleep(1); END $$;" };
    const migrations = await laterMigrations(folder, { ...slow, ...INDEX });
    for (const setting of ["statement_timeout", "transaction_timeout", "lock_timeout", "idle_session_timeout"])
      await observer().query(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting} = 300', current_database()); END $$`,
      );
    await first().query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM posts");
    const migrated = migrate(database.url, undefined, migrations);
    await expect.poll(() => isValid("later_idx"), { timeout: 10_000 }).toBe(false);
    await first().query("SELECT pg_sleep(0.5); COMMIT");
    expect(await migrated).toEqual([...Object.keys(slow), ...Object.keys(INDEX)]);
    expect(await isValid("later_idx")).toBe(true);
  });
});

describe("a version that finds newer migrations than its own", () => {
  it("does nothing", async () => {
    await migrate(database.url, undefined, await laterMigrations(folder, { ...COLUMN, ...LAST }));
    expect(await pendingMigrations(database.url)).toEqual([]);
    expect(await migrate(database.url)).toEqual([]);
    const { rows } = await first().query("SELECT count(*)::int AS applied FROM _prisma_migrations");
    expect(rows).toEqual([{ applied: migrationNames().length + 2 }]);
  });
});

describe("a prepared statement", () => {
  it("still works after a migration changes its result type, and is prepared again", async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    const preparing = new Pool({ connectionString: database.url, max: 1 });
    const reader = databaseOf(new PrismaClient({ adapter: new PrismaPg(pool) }), pool, { pool, preparing });
    const read = (table: string) => reader.prepared.query<object>(sql`SELECT * FROM ${identifier(table)}`);
    const prepared = async () => (await preparing.query("SELECT name FROM pg_prepared_statements")).rows;
    await first().query("CREATE TABLE things (a int); INSERT INTO things VALUES (1)");
    expect(await read("things")).toEqual([{ a: 1 }]);
    expect(await prepared()).toEqual([{ name: "search_1" }]);
    await first().query("ALTER TABLE things ADD COLUMN b int DEFAULT 2");
    expect(await read("things")).toEqual([{ a: 1, b: 2 }]);
    expect(await read("things")).toEqual([{ a: 1, b: 2 }]);
    expect(await prepared()).toEqual([{ name: "search_2" }]);
    await first().query("DROP TABLE things");
    await expect(read("things")).rejects.toThrow('"things" does not exist');
    await Promise.all([pool.end(), preparing.end()]);
  });
});
