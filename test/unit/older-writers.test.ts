/** Waiting for transactions that may have read what another one has changed since. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sql } from "../../src/database/client.js";
import { olderWritersEnded } from "../../src/database/older-writers.js";
import { createPool } from "../../src/database/statements.js";
import { createDatabase, type TestDatabase } from "../support/database.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Connections as a board has them. */
function openPool(url: string) {
  const pool = createPool({ url, connections: 2, wait: 5_000, silence: 5_000, statementTimeout: 5_000 });
  const query = async ({ text, values }: Sql) => (await pool.query(text, values)).rows as never[];
  return { pool, db: { query }, [Symbol.asyncDispose]: () => pool.end() };
}

const WRITE = "BEGIN; INSERT INTO tags (name) VALUES ('unfinished')";

describe("older writers", () => {
  it.each([
    ["", "by its own name"],
    ["board", "by the name in DATABASE_URL"],
  ])("are known (application_name=%s) %s, and waited for until they end", async (name) => {
    const url = new URL(database.url);
    if (name !== "") url.searchParams.set("application_name", name);
    await using board = openPool(url.href);
    const writer = await board.pool.connect();
    await writer.query(WRITE);
    let isDone = false;
    const ended = olderWritersEnded(board.db).finally(() => (isDone = true));
    const stopped = await olderWritersEnded(board.db, AbortSignal.abort());
    const wasDone = isDone;
    await writer.query("ROLLBACK");
    writer.release();
    expect([stopped, wasDone, await ended]).toEqual([false, false, true]);
  });

  it("do not include other programs' transactions, nor read-only ones such as a backup's", async () => {
    await using board = openPool(database.url);
    const other = new pg.Client({ connectionString: database.url, application_name: "psql" });
    await other.connect();
    await other.query(WRITE);
    const reader = await board.pool.connect();
    await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM posts");
    expect(await olderWritersEnded(board.db, AbortSignal.abort())).toBe(true);
    await reader.query("ROLLBACK");
    reader.release();
    await other.end();
  });

  it("are ended by PostgreSQL if they stay idle for longer than a transaction may take", async () => {
    await using board = openPool(database.url);
    const { rows } = await board.pool.query("SHOW idle_in_transaction_session_timeout");
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: "30s" }]);
  });
});
