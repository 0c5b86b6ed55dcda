/** The jobs that remove expired rows of tables that grow with requests. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identifier, sql } from "../../src/database/client.js";
import { tasks } from "../../src/operations/tasks.js";
import { startBoard, type TestBoard } from "../support/board.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const OLD = sql`now() - interval '1 year'`;
const MANY = sql`generate_series(1, 12000) AS n`;

describe("the job removes twelve thousand expired rows in several statements", () => {
  it.each([
    [
      "sweep_sessions",
      "user_sessions",
      sql`(user_id, token_hash, last_used_at, address)
      SELECT (SELECT min(id) FROM users), sha256(n::text::bytea), ${OLD}, '198.51.100.1' FROM ${MANY}`,
    ],
    [
      "sweep_sessions",
      "known_addresses",
      sql`(user_id, digest, last_used_at)
      SELECT (SELECT min(id) FROM users), sha256(n::text::bytea), ${OLD} FROM ${MANY}`,
    ],
    [
      "sweep_sessions",
      "account_recoveries",
      sql`(user_id, token_hash, expires_at)
      SELECT id, sha256(id::text::bytea), ${OLD} FROM users`,
    ],
    ["sweep_limits", "rate_limits", sql`(key, points, expire) SELECT n::text, 1, 1000 FROM ${MANY}`],
    ["sweep_limits", "viewer_writes", sql`(viewer, position, written_at) SELECT n::text, 1, ${OLD} FROM ${MANY}`],
  ])("%s: %s", async (job, name, rows) => {
    const { database } = test.board;
    const table = identifier(name);
    await test.make.user();
    await database.execute(sql`INSERT INTO ${table} ${rows}`);
    await database.execute(sql`CREATE TABLE removed (rows int)`);
    await database.execute(sql`
      CREATE FUNCTION note_removed() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO removed SELECT count(*) FROM gone; RETURN NULL; END'`);
    await database.execute(sql`
      CREATE TRIGGER noted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone EXECUTE FUNCTION note_removed()`);
    await tasks(test.board)[job]?.({}, { attempts: 1, maxAttempts: 1, stopping: new AbortController().signal });
    expect(await database.query(sql`SELECT count(*)::int FROM ${table}`)).toEqual([{ count: 0 }]);
    const [most] = await database.query<{ rows: number }>(sql`SELECT max(rows) AS rows FROM removed`);
    expect(most?.rows).toBeLessThanOrEqual(10_000);
    await database.execute(sql`DROP TABLE removed`);
    await database.execute(sql`DROP FUNCTION note_removed CASCADE`);
  });
});
