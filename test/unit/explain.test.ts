/** The message for an operator when a server or command can't start: the cause and the remedy in a sentence. */
import { chmod } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.js";
import { migrate } from "../../src/database/migrate.js";
import { withSession } from "../../src/database/session.js";
import { ArchiveReader } from "../../src/operations/backup/archive.js";
import { loadSecret } from "../../src/runtime/auth/secret.js";
import { explainFailure } from "../../src/runtime/explain.js";
import { query } from "../support/backup.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { Folder } from "../support/folder.js";
import { laterMigrations } from "../support/migrations-folder.js";
import { isInstalled, makeCertificate } from "../support/proxies.js";

let database: TestDatabase;
const role = `plain_${process.pid}`;
beforeAll(async () => {
  database = await createDatabase();
  await query(
    database.url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'plain'; CREATE ROLE none_${role} LOGIN PASSWORD 'plain' CONNECTION LIMIT 0`,
  );
});
afterAll(async () => {
  await query(database.url, `DROP ROLE ${role}; DROP ROLE none_${role}`);
  await database.drop();
});

/** The database's URL with other parts. */
function urlWith(
  parts: Partial<Pick<URL, "username" | "password" | "pathname" | "hostname" | "port" | "search">>,
): string {
  return Object.assign(new URL(database.url), parts).href;
}

/** What is said when the database of this URL can't be migrated. */
const said = (url: string): Promise<string> => migrate(url).then(() => "", explainFailure);

/** A port where a program accepts connections, and does this with each. */
async function portOf(serve: Parameters<typeof createServer>[1]): Promise<{ port: string; close: () => void }> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: String((server.address() as AddressInfo).port), close: () => server.close() };
}

describe("DATABASE_URL", () => {
  it("with a wrong password", async () => {
    expect(await said(urlWith({ username: role, password: "wrong" }))).toBe(
      `DATABASE_URL: password authentication failed for user "${role}"; check its user and password.`,
    );
  });

  it("of a database that does not exist", async () => {
    expect(await said(urlWith({ pathname: "/nowhere" }))).toBe(
      'DATABASE_URL: database "nowhere" does not exist; create it, or name another.',
    );
  });

  it("of a host that is unknown", async () => {
    expect(await said(urlWith({ hostname: "nowhere.invalid" }))).toBe(
      "The host nowhere.invalid has no known address; check where HOST or DATABASE_URL names it.",
    );
  });

  it("of a port where nothing listens", async () => {
    const { port, close } = await portOf(() => undefined);
    close();
    expect(await said(urlWith({ hostname: "127.0.0.1", port }))).toBe(
      "No database responds at the address in DATABASE_URL.",
    );
  });

  it("of a folder without a database's socket", async () => {
    expect(await said("postgres://board@/board?host=/nowhere")).toBe(
      "No database responds at the address in DATABASE_URL.",
    );
  });

  it("of a database that is stopped while a command runs", async () => {
    const stopped = withSession(database.url, "test", (client) =>
      client.query("SELECT pg_terminate_backend(pg_backend_pid())"),
    );
    expect(await stopped.catch(explainFailure)).toBe(
      "The database was stopped, or ended the connection; try again when it runs.",
    );
  });

  it("of a database that is stopped during a migration", async () => {
    await using folder = await Folder.make();
    const migrations = await laterMigrations(folder, { "20990101000000_later": "SELECT pg_sleep(60)" });
    const failed = migrate(database.url, undefined, migrations).catch(explainFailure);
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    await expect.poll(async () => (await query(database.url, end)).length).toBe(1);
    expect(await failed).toBe("The database was stopped, or ended the connection; try again when it runs.");
  });

  it("of another program, which closes the connection or says nothing", async () => {
    const no = "The server at the address in DATABASE_URL is not PostgreSQL, or accepts no connections.";
    const closing = await portOf((socket) => socket.destroy());
    expect(await said(urlWith({ hostname: "127.0.0.1", port: closing.port }))).toBe(
      "The database ended the connection; try again when it runs, or check that the server at the address in DATABASE_URL is PostgreSQL.",
    );
    closing.close();
    const silent = await portOf(() => undefined);
    const url = urlWith({ hostname: "127.0.0.1", port: silent.port });
    const failed = withSession(url, "test", () => Promise.resolve(""), 100);
    expect(await failed.catch(explainFailure)).toBe(no);
    silent.close();
  });

  it.skipIf(!isInstalled("openssl"))("of a database whose certificate is not trusted, or that has none", async () => {
    const advice =
      'with TLS it needs "?sslmode=verify-full&sslrootcert=FILE", the file with the authority\'s certificate.';
    await using folder = await Folder.make();
    const files = await makeCertificate(folder);
    const [key, cert] = [readFileSync(files.key), readFileSync(files.certificate)];
    const { port, close } = await portOf((socket) =>
      socket.once("data", () => {
        socket.write("S");
        new TLSSocket(socket, { isServer: true, key, cert }).on("error", () => undefined);
      }),
    );
    const untrusted = await said(urlWith({ hostname: "127.0.0.1", port, search: "?sslmode=verify-full" }));
    expect(untrusted).toMatch(/^DATABASE_URL: self-signed certificate/); // Node 24 adds advice of its own
    expect(untrusted.endsWith(advice)).toBe(true);
    close();
    expect(await said(urlWith({ search: "?sslmode=verify-full" }))).toBe(
      `DATABASE_URL: The server does not support SSL connections; ${advice}`,
    );
  });

  it("with a user who does not own the database", async () => {
    await query(database.url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    const url = urlWith({ username: role, password: "plain" });
    expect(await said(url)).toBe(
      "DATABASE_URL: no schema has been selected to create in; its user must own the database.",
    );
    await query(database.url, "GRANT USAGE ON SCHEMA public TO PUBLIC");
    expect(await said(url)).toBe("DATABASE_URL: permission denied for schema public; its user must own the database.");
  });

  it("of a database that takes no writes", async () => {
    const failed = query(database.url, "BEGIN READ ONLY; CREATE TABLE unwritten ()");
    expect(await failed.catch(explainFailure)).toBe(
      "DATABASE_URL: cannot execute CREATE TABLE in a read-only transaction; the database is a standby, or was made read-only.",
    );
  });

  it("with a user who may have no more connections", async () => {
    const url = urlWith({ username: `none_${role}`, password: "plain" });
    expect(await said(url)).toBe(
      `DATABASE_URL: too many connections for role "none_${role}"; allow more, or lower DATABASE_CONNECTIONS.`,
    );
  });

  it("of a database with another program's tables", async () => {
    await query(database.url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE invoices (id int)");
    expect(await said(database.url)).toBe(
      "DATABASE_URL: the database has tables of another program; create an empty one for the board.",
    );
  });
});

it("a file that this user may not read", async () => {
  await using folder = await Folder.make();
  const file = await folder.write("board.tar", "");
  await chmod(folder.path, 0o711);
  await chmod(file, 0o000);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  const failed = await ArchiveReader.open(file).catch(explainFailure);
  if (isRoot) process.seteuid?.(0);
  expect(failed).toBe(`This user has no access to ${file}.`);
});

describe("DATA_DIR", () => {
  /** What is said when the secret can't be created there. */
  const saidOf = (dataDir: string): Promise<string> =>
    loadSecret(loadConfig({ DATA_DIR: dataDir })).then(() => "", explainFailure);

  it("where the system lets nobody create a folder", async () => {
    expect(await saidOf("/proc/board/data")).toBe("The folder /proc/board can't be created.");
  });

  it("that is a file, or in one", async () => {
    await using folder = await Folder.make();
    const file = await folder.write("file", "");
    expect(await saidOf(file)).toBe(`${file}/secret can't be used: a part of it is not a folder.`);
    expect(await saidOf(`${file}/data`)).toBe(`${file}/data/secret can't be used: a part of it is not a folder.`);
  });

  it("with an empty secret, as a power cut may leave it", async () => {
    await using folder = await Folder.make();
    const file = await folder.write("secret", "\n");
    expect(await saidOf(folder.path)).toBe(
      `The configuration is invalid:\n  DATA_DIR: the file ${file} is empty; remove it, and a new secret is made`,
    );
  });
});

it("a statement that took too long", async () => {
  const failed = query(database.url, "SET statement_timeout = 1; SELECT pg_sleep(1)");
  expect(await failed.catch(explainFailure)).toBe(
    "A statement took longer than STATEMENT_TIMEOUT_MS; try again when the board is less busy, or raise the limit.",
  );
});

it("a bug is reported with its stack", () => {
  expect(explainFailure(new TypeError("x is not a function"))).toMatch(/^TypeError: x is not a function\n +at /);
});
