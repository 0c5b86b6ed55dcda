/** Prepared statements: any number of different searches affects neither the program's own statements nor the memory of connections. */
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, Prisma, sql } from "../../src/database/client.js";
import { databaseOf } from "../../src/database/database.js";
import { createPool } from "../../src/database/statements.js";
import { createDatabase } from "../support/database.js";

let owned: Awaited<ReturnType<typeof createDatabase>>;
let preparing: pg.Pool;
let database: Database;
beforeAll(async () => {
  owned = await createDatabase();
  const waits = { wait: 60_000, silence: 60_000, statementTimeout: 60_000 };
  preparing = createPool({ url: owned.url, connections: 1, ...waits, genericPlans: true });
  database = databaseOf({} as never, preparing, { pool: preparing, preparing });
});
afterAll(async () => {
  await preparing.end();
  await owned.drop();
});

const search = (form: number) => database.prepared.query(sql`SELECT ${Prisma.raw(String(form))} AS form`);
const ofProgram = () => database.byKeys(1).query(sql`SELECT 'own' AS form`);
/** What the only connection has prepared. */
const statements = async (): Promise<string[]> =>
  (await preparing.query<{ statement: string }>("SELECT statement FROM pg_prepared_statements")).rows.map(
    ({ statement }) => statement,
  );

it("the program's own statements are still prepared after any number of searches, and so are new searches", async () => {
  for (let form = 0; form < 150; form += 1) await search(form);
  await ofProgram();
  expect(await statements()).toEqual(expect.arrayContaining(["SELECT 149 AS form", "SELECT 'own' AS form"]));
});

it("a connection with very many prepared statements is replaced", async () => {
  const counts: number[] = [];
  for (let form = 1_000; form < 1_500; form += 1) {
    await search(form);
    if (form % 50 === 0) counts.push((await statements()).length);
  }
  expect(Math.max(...counts)).toBeGreaterThan(200);
  expect(Math.max(...counts)).toBeLessThanOrEqual(302);
  expect((await search(1_499))[0]).toEqual({ form: 1_499 });
});
