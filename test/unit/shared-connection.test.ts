/** The connection that the small reads of all requests share: it saves time, and no read depends on it. */
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Database, sql } from "../../src/database/client.js";
import { databaseOf } from "../../src/database/database.js";
import { RequestScope } from "../../src/database/request-scope.js";
import { SharedConnection } from "../../src/database/shared-connection.js";
import { createPool } from "../../src/database/statements.js";
import { createDatabase } from "../support/database.js";
import { CutProxy } from "../support/cut-proxy.js";

/** what connections of a pool are called */
const POOL = "graphbooru";

let owned: Awaited<ReturnType<typeof createDatabase>>;
let proxy: CutProxy;
let pool: pg.Pool;
let shared: SharedConnection;
let database: Database;
beforeAll(async () => {
  owned = await createDatabase();
  proxy = await CutProxy.open(owned.url);
  pool = createPool({ url: owned.url, connections: 4, wait: 60_000, silence: 60_000, statementTimeout: 60_000 });
  shared = new SharedConnection({ connectionString: proxy.url, application_name: "shared" });
  database = databaseOf({} as never, pool, { pool, preparing: pool }, shared);
});
afterAll(async () => {
  await shared[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await pool.end();
  await owned.drop();
});

/** Which connection answered, after a number of milliseconds. */
async function read(milliseconds = 0, rows = 1): Promise<string | undefined> {
  const [row] = await database.byKeys(rows).query<{ name: string }>(sql`
    SELECT current_setting('application_name') AS name FROM pg_sleep(${milliseconds / 1000}::float8)`);
  return row?.name;
}

/** It is opened by the first read, and again some time after it broke. */
beforeEach(() => vi.waitUntil(async () => (await read()) === "shared", { timeout: 20_000 }), 30_000);

interface Answer {
  value: number;
  pid: number;
}
const answered = async (value: number): Promise<Answer | undefined> =>
  (await database.byKeys(1).query<Answer>(sql`SELECT ${value}::int AS value, pg_backend_pid() AS pid`))[0];
/** The processes of PostgreSQL that answer twenty reads at once: of a pool as many as it has connections. */
async function processesOfTwenty(): Promise<(number | undefined)[]> {
  const asked = Array.from({ length: 20 }, (_, index) => index);
  const answers = await Promise.all(asked.map(answered));
  expect(answers.map((answer) => answer?.value)).toEqual(asked);
  return [...new Set(answers.map((answer) => answer?.pid))];
}

describe("reads by keys", () => {
  it("of all requests share one connection, each with its own rows", async () => {
    await expect.poll(async () => (await processesOfTwenty()).length).toBe(1);
  });

  it("go to a pool if they return many rows", async () => {
    expect(await read(0, 100_000)).toBe(POOL);
  });

  it("throw the database's error, and the connection stays", async () => {
    let before: unknown[] = [];
    await expect.poll(async () => (before = await processesOfTwenty()).length).toBe(1);
    await expect(database.byKeys(1).query(sql`SELECT 1 / ${0}::int AS value`)).rejects.toThrow("division by zero");
    await expect.poll(processesOfTwenty).toEqual(before);
  });

  it("go to a pool while an earlier one takes long, which is repeated there after a second", async () => {
    const slow = read(1_500);
    await expect.poll(() => read()).toBe(POOL);
    expect(await slow).toBe(POOL);
  });

  it("are repeated by a pool if the connection breaks, and count once", async () => {
    proxy.silence(true);
    const scope = new RequestScope();
    const asked = scope.run(() => [read(), read()]);
    await proxy.cut();
    proxy.silence(false);
    expect(await Promise.all(asked)).toEqual([POOL, POOL]);
    expect(scope.statements).toBe(2);
    expect(await read()).toBe(POOL);
    await proxy.open();
  });

  it("are repeated by a pool if nothing is answered", async () => {
    proxy.silence(true);
    const asked = [read(), read()];
    await expect.poll(() => read()).toBe(POOL);
    expect(await Promise.all(asked)).toEqual([POOL, POOL]);
    proxy.silence(false);
  });
});
