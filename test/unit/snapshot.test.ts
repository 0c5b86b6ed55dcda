/** Records are cached for as long as statements see the same snapshot of the database. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Executor, type Queryable, sql } from "../../src/database/client.js";
import { SNAPSHOT, SnapshotCache } from "../../src/database/snapshot.js";
import { connect, createDatabase, type TestDatabase } from "../support/database.js";

let made: TestDatabase;
let connected: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  made = await createDatabase();
  connected = await connect(made.url);
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await made.drop();
});

const snapshotOf = async (db: Queryable): Promise<string | null> =>
  (await db.query<{ snapshot: string | null }>(sql`SELECT ${SNAPSHOT} AS snapshot`))[0]?.snapshot ?? null;
const write = (db: Executor) => db.execute(sql`UPDATE tag_generation SET value = value + 1`);

describe("a snapshot", () => {
  it("is the same while nothing is committed", async () => {
    const { database } = connected;
    // other tests write to the same server
    let isSame = false;
    for (let tries = 0; !isSame && tries < 1_000; tries += 1)
      isSame = (await snapshotOf(database)) === (await snapshotOf(database));
    expect(isSame).toBe(true);
  });

  it("is another one after each commit", async () => {
    const { database } = connected;
    const seen = new Set<string | null>();
    for (let times = 0; times < 20; times += 1) {
      await write(database);
      seen.add(await snapshotOf(database));
    }
    expect(seen.size).toBe(20);
  });

  it("is another one after the commit of a transaction that had begun before", async () => {
    const { database, transact } = connected;
    const during: (string | null)[] = [];
    await transact(async (db) => {
      await write(db);
      await database.query(sql`SELECT pg_current_xact_id()`);
      during.push(await snapshotOf(database));
    });
    expect(during).not.toContain(await snapshotOf(database));
  });

  it("is none in a transaction that has written", async () => {
    const { transact } = connected;
    const [before, after] = await transact(async (db) => {
      const first = await snapshotOf(db);
      await write(db);
      return [first, await snapshotOf(db)];
    });
    expect([before === null, after]).toEqual([false, null]);
  });
});

describe("cached records", () => {
  const records = [{ id: 1 }, { id: 2 }, { id: 3 }];

  it("are found by the snapshot at which they were read, if all are there", () => {
    const cache = new SnapshotCache(10);
    cache.set("one", records);
    expect(cache.get("one", [3, 1])).toEqual([{ id: 3 }, { id: 1 }]);
    expect([cache.get("one", [1, 4]), cache.get("two", [1]), cache.get(null, [1])]).toEqual(Array(3).fill(undefined));
  });

  it("are dropped at another snapshot, and not stored without one", () => {
    const cache = new SnapshotCache(10);
    cache.set("one", records);
    cache.set(null, [{ id: 4 }]);
    expect([cache.get("one", [4]), cache.get(null, [4]), cache.get("one", [1])]).toEqual([
      undefined,
      undefined,
      [{ id: 1 }],
    ]);
    cache.set("two", [{ id: 5 }]);
    expect([cache.get("one", [1]), cache.get("two", [1]), cache.get("two", [5])]).toEqual([
      undefined,
      undefined,
      [{ id: 5 }],
    ]);
  });

  it("are dropped when there are too many", () => {
    const cache = new SnapshotCache(3);
    cache.set("one", records);
    cache.set("one", [{ id: 4 }]);
    expect([cache.get("one", [1]), cache.get("one", [4])]).toEqual([undefined, [{ id: 4 }]]);
  });
});
