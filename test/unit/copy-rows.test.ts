/** Rows by COPY, as the generator of boards writes them. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyRows } from "../../bench/board/copy.js";
import { createDatabase, type TestDatabase } from "../support/database.js";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe("copyRows", () => {
  const ROWS = [
    { id: 1, text: "tab\t, line\n, return\r, \\N and \\. alone", ids: [3, 1, 2], flag: true, size: 0.5 },
    { id: 2, text: "\\.", ids: [], flag: false, size: null },
    { id: 3, text: null, ids: [7], flag: null, size: -1 },
    { id: 4, text: "", ids: null, flag: true, size: 0 },
  ];

  it("writes every type of value unchanged, and returns the number of rows", async () => {
    await client.query(`CREATE TEMPORARY TABLE copied (id int, text text, ids int[], flag boolean, size float8)`);
    expect(await copyRows(client, "copied", ROWS)).toBe(4);
    const { rows } = await client.query(`SELECT * FROM copied ORDER BY id`);
    expect(rows).toEqual(ROWS);
  });

  it("writes nothing when there are no rows", async () => {
    expect(await copyRows(client, "copied", [])).toBe(0);
  });

  it("fails with the database's error, and leaves the connection usable", async () => {
    await expect(copyRows(client, "copied", [{ id: "one" }])).rejects.toThrow(/invalid input syntax for type integer/);
    const { rows } = await client.query(`SELECT count(*)::int AS count FROM copied`);
    expect(rows).toEqual([{ count: 4 }]);
  });
});
