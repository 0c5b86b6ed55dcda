/** The end of a pool of connections. */
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Pool } from "../../src/database/pool.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { CutProxy } from "../support/cut-proxy.js";

const CONNECTIONS = 5;

let owned: TestDatabase;
beforeAll(async () => {
  owned = await createDatabase();
});
afterAll(() => owned.drop());

/** Opens all connections of a pool, which are idle then. */
async function openAll(pool: pg.Pool): Promise<pg.PoolClient[]> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));
  for (const connection of connections) connection.release();
  return connections;
}

const isClosed = (client: pg.PoolClient): boolean =>
  (client as unknown as { connection: { stream: { destroyed: boolean } } }).connection.stream.destroyed;

describe("a pool that has ended", () => {
  it("has closed its connections", async () => {
    const pool = new Pool({ connectionString: owned.url, max: CONNECTIONS });
    const connections = await openAll(pool);
    await pool.end();
    expect(connections.map(isClosed)).toEqual(connections.map(() => true));
  });

  it("has closed those that were in use", async () => {
    const pool = new Pool({ connectionString: owned.url, max: CONNECTIONS });
    const connection = await pool.connect();
    const running = connection.query("SELECT pg_sleep(0.05)").finally(() => connection.release());
    await pool.end();
    expect(isClosed(connection)).toBe(true);
    await running;
  });

  it("calls back, as the driver's", async () => {
    const pool = new Pool({ connectionString: owned.url });
    const [connection] = await openAll(pool);
    await new Promise<void>((resolve) => pool.end(resolve));
    expect(connection && isClosed(connection)).toBe(true);
  });

  it("reports a second end to its callback", async () => {
    const pool = new Pool({ connectionString: owned.url });
    await pool.end();
    const reported = await new Promise((resolve) => pool.end(resolve as () => void));
    expect(String(reported)).toBe("Error: Called end on pool more than once");
  });

  it("does not wait for a server that no longer responds", async () => {
    const proxy = await CutProxy.open(owned.url);
    const pool = new Pool({ connectionString: proxy.url, max: CONNECTIONS });
    const connections = await openAll(pool);
    proxy.silence(true);
    await pool.end();
    expect(connections.map(isClosed)).toEqual(connections.map(() => false));
    await proxy[Symbol.asyncDispose]();
  });
});
