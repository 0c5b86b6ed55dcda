/** Where a read goes when all connections of its replica are in use. */
import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Pool } from "../../src/database/pool.js";
import { ReadingPool } from "../../src/database/reading-pool.js";
import type { Pools, Replica } from "../../src/database/replica.js";
import { readFrom, RequestScope } from "../../src/database/request-scope.js";
import { CutProxy } from "../support/cut-proxy.js";
import { createDatabase, type TestDatabase } from "../support/database.js";

let database: TestDatabase;
const pools: pg.Pool[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
});
afterAll(() => database.drop());

/** A pool of one connection. @param wait milliseconds for it; 0 for ever */
function poolOfOne(wait: number): pg.Pool {
  const pool = new Pool({ connectionString: database.url, max: 1, connectionTimeoutMillis: wait });
  pools.push(pool);
  return pool;
}

/** Reads by a replica with this pool. */
function readBy(replica: pg.Pool, primary: pg.Pool): Promise<pg.QueryResult> {
  const reading = new ReadingPool(primary, "pool");
  const servers: Pools = { pool: replica, preparing: replica };
  const source = { read: (ask: (servers: Pools) => unknown) => ask(servers) } as unknown as Replica;
  return new RequestScope().run(() => {
    readFrom(source);
    return reading.query("SELECT 1 AS one" as never) as Promise<pg.QueryResult>;
  });
}

describe("a read whose replica has no connection for it", () => {
  it("is sent to the primary if that has a free one", async () => {
    const [replica, primary] = [poolOfOne(500), poolOfOne(0)];
    const held = await replica.connect();
    expect((await readBy(replica, primary)).rows).toEqual([{ one: 1 }]);
    held.release();
  });

  it("does not wait again for one of the primary's", async () => {
    const [replica, primary] = [poolOfOne(500), poolOfOne(0)];
    const held = [await replica.connect(), await primary.connect()];
    await expect(readBy(replica, primary)).rejects.toThrow("timeout exceeded when trying to connect");
    for (const connection of held) connection.release();
  });
});

describe("a read of a request with a committed write", () => {
  it("opens another connection when one takes too long to open", async () => {
    await using proxy = await CutProxy.open(database.url);
    proxy.silence(true);
    const primary = new Pool({ connectionString: proxy.url, max: 1, connectionTimeoutMillis: 200 });
    pools.push(primary);
    const query = vi.spyOn(primary, "query");
    const scope = new RequestScope();
    scope.hasCommitted = true;
    const read = scope.run(() => new ReadingPool(primary, "pool").query("SELECT 1 AS one" as never)) as Promise<object>;
    await expect.poll(() => query.mock.calls.length).toBeGreaterThan(1);
    proxy.silence(false);
    expect(await read).toMatchObject({ rows: [{ one: 1 }] });
  });
});
