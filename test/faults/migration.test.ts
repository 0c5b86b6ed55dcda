/** An older version serves under load while a newer one migrates the tables, and starts again on them. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../src/database/migrate.js";
import { Client } from "../support/client.js";
import { boardCommand } from "../support/command.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { Folder } from "../support/folder.js";
import { Load } from "../support/load.js";
import { offences } from "../support/migration-rules.js";
import { laterMigrations } from "../support/migrations-folder.js";
import { ServerProcess } from "../support/server-process.js";

/** Everything that the rules allow, at the tables that the load is about. */
const LATER: Record<string, string> = {
  "20990101000000_columns": `
    ALTER TABLE posts ADD COLUMN later_number int NOT NULL DEFAULT 7, ADD COLUMN later_text text;
    ALTER TABLE tags ADD COLUMN later_number int NOT NULL DEFAULT 7;
    ALTER TABLE comments ADD COLUMN later_text text;
    ALTER TABLE users ADD COLUMN later_text text;
    ALTER TABLE post_versions ADD COLUMN later_text text;`,
  "20990102000000_check": `ALTER TABLE posts ADD CONSTRAINT later_check CHECK (later_number > 0) NOT VALID;`,
  "20990103000000_validate": `ALTER TABLE posts VALIDATE CONSTRAINT later_check;`,
  "20990104000000_index": `CREATE INDEX CONCURRENTLY later_idx ON posts (later_number);`,
  "20990105000000_table": `
    CREATE TABLE laters (id serial PRIMARY KEY, post_id int);
    CREATE FUNCTION note_later() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO laters (post_id) VALUES (NEW.id); RETURN NULL; END $$;
    CREATE TRIGGER note_later AFTER INSERT ON posts FOR EACH ROW EXECUTE FUNCTION note_later();`,
  "20990106000000_drop_index": `DROP INDEX CONCURRENTLY IF EXISTS later_idx;`,
};

const SETTINGS = {
  DATABASE_WAIT_MS: "30000", // nobody is turned away, however slow the machine is
  ...Object.fromEntries(["ANONYMOUS", "MEMBER", "PLATINUM"].map((level) => [`LIMIT_${level}`, "1000000"])),
};

let database: TestDatabase;
let folder: Folder;
let server: ServerProcess;
let client: pg.Client;
let writer: Client;
beforeAll(async () => {
  database = await createDatabase();
  folder = await Folder.make();
  client = new pg.Client(database.url);
  await client.connect();
  server = await ServerProcess.start(folder.at("data"), { ...SETTINGS, DATABASE_URL: database.url });
  const account = ["user", "create", "writer", "a long password", "contributor"];
  const { api_key: apiKey } = await boardCommand<{ api_key: string }>(database.url, ...account);
  writer = new Client(server.url, { name: "writer", apiKey });
});
afterAll(async () => {
  await server?.end("SIGKILL");
  await client?.end();
  await folder?.[Symbol.asyncDispose]();
  await database?.drop();
});

describe("migrations that follow the rules", () => {
  it("are found by the linter", () => {
    expect(Object.values(LATER).flatMap(offences)).toEqual([]);
  });

  it("do not disturb an older version under load", async () => {
    const load = await Load.begin(writer);
    expect(await migrate(database.url, undefined, await laterMigrations(folder, LATER))).toEqual(Object.keys(LATER));
    await load.round(3);
    expect(await load.stop(client)).toEqual([]);
    expect(load.faults).toEqual([]);
    const { rows } = await client.query("SELECT count(*) > 0 AS is_noted FROM laters");
    expect(rows).toEqual([{ is_noted: true }]);
  });

  it("let the older version start on the newer tables", async () => {
    expect(await server.end("SIGTERM")).toBe(0);
    server = await ServerProcess.start(folder.at("data"), { ...SETTINGS, DATABASE_URL: database.url });
    const load = await Load.begin(new Client(server.url, writer.login));
    expect(await load.stop(client)).toEqual([]);
    expect(load.faults).toEqual([]);
  });
});
