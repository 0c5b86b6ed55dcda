/** Connections on which commands, and migrations at a start, wait for as long as a statement takes. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../src/database/migrate.js";
import { withSession } from "../../src/database/session.js";
import { CutProxy } from "../support/cut-proxy.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { Folder } from "../support/folder.js";
import { holdTable } from "../support/held-table.js";
import { laterMigrations } from "../support/migrations-folder.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** The timers that the system runs for connections to this port, as /proc has them: `02` is that of keep-alive probes. */
async function timersOf({ url }: CutProxy): Promise<string[]> {
  const port = `:${Number(new URL(url).port).toString(16).padStart(4, "0").toUpperCase()}`;
  const rows = (await readFile("/proc/self/net/tcp", "utf8")).split("\n").map((row) => row.trim().split(/\s+/));
  return rows.filter(([, , remote = ""]) => remote.endsWith(port)).map(([, , , , , timer = ""]) => timer.slice(0, 2));
}

it("a command's connection has none of the timeouts that a database sets for requests", async () => {
  const name = new URL(database.url).pathname.slice(1);
  const timeouts = `SELECT name, setting FROM pg_settings
    WHERE name ~ '^(statement|lock|transaction|idle_in_transaction_session|idle_session)_timeout$'`;
  const { rows } = await withSession(database.url, "test", async (client) => {
    const found = await client.query<{ name: string }>(timeouts);
    for (const each of found.rows) await client.query(`ALTER DATABASE ${name} SET ${each.name} = '20s'`);
    return found;
  });
  await withSession(database.url, "test", async (client) => {
    const none = rows.map((each) => ({ name: each.name, setting: "0" }));
    expect((await client.query(timeouts)).rows).toEqual(none);
    for (const each of rows) await client.query(`ALTER DATABASE ${name} RESET ${each.name}`);
  });
});

const isElsewhere = process.platform !== "linux";

describe.skipIf(isElsewhere)(
  `${isElsewhere ? "without /proc: " : ""}a connection whose server's machine fails during a long statement ends, for`,
  () => {
    it("a command", async () => {
      await using proxy = await CutProxy.open(database.url);
      const tags = await holdTable(database.url, "tags");
      const running = withSession(proxy.url, "test", (client) => client.query("SELECT FROM tags"));
      await expect.poll(() => timersOf(proxy)).toEqual(["02"]);
      await tags[Symbol.asyncDispose]();
      await running;
    });

    it("a migration", async () => {
      await using proxy = await CutProxy.open(database.url);
      await using folder = await Folder.make();
      const name = "29990101000000_slow";
      const migrations = await laterMigrations(folder, { [name]: "SELECT FROM tags;" });
      const tags = await holdTable(database.url, "tags");
      const running = migrate(proxy.url, [name], migrations);
      await expect.poll(() => timersOf(proxy)).toEqual(["02", "02"]);
      await tags[Symbol.asyncDispose]();
      expect(await running).toEqual([name]);
    });
  },
);
