import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open as openFile } from "node:fs/promises";
import { createServer } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { text as allOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { type EmbeddedDatabase, openEmbedded } from "../../src/database/embedded.js";
import { makeDataDir } from "../../src/database/embedded/folder.js";
import { findPostmaster, type Postmaster } from "../../src/database/embedded/postmaster.js";
import { withDatabase } from "../../src/operations/commands/command.js";
import { discard } from "../support/clusters.js";
import { FAST } from "../support/embedded-settings.js";
import { prepareDataDir } from "../support/prepared.js";
import { noDisk, SmallDisk } from "../support/small-disk.js";

const CHILD = fileURLToPath(new URL("../support/embedded-child.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
let base: string;
let dataDir: string;
const opened: EmbeddedDatabase[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  base = mkdtempSync(path.join(inject("runFolder"), "embedded-"));
  chmodSync(base, 0o711);
  dataDir = path.join(base, "data");
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const database of opened.splice(0)) await database.close();
  discard(base);
});

const server = () => findPostmaster(path.join(dataDir, "postgres"));

async function open(
  settings: Record<string, string> = FAST,
  log: (message: string) => void = () => undefined,
): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({ dataDir, settings, log });
  opened.push(database);
  return database;
}

async function query(url: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

/** What a container has here of its own: the ids of its processes, of which the first one ends all others with itself. */
const CONTAINER = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Opens the database in a process of its own. @param within a command that runs the process */
async function openInChild(within: string[] = []) {
  const [program, ...args] = [...within, process.execPath, "--import", "tsx", CHILD, dataDir];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const end = async (how: "close" | "SIGKILL") => {
    const exited = once(child, "exit");
    if (how === "close") child.stdin.end();
    else child.kill(how);
    await exited;
  };
  return { url, end };
}

describe("openEmbedded", () => {
  it("creates a cluster that sorts by code point, and stops it on close", async () => {
    const database = await open();
    const sorted =
      "SELECT string_agg(t, '' ORDER BY t), lower('ÄÉ'), current_database() FROM unnest(array['b','B','_','a']) t";
    expect(await query(database.url, sorted)).toEqual([["B_ab", "äé", "graphbooru"]]);
    expect(await query(database.url, "SHOW data_checksums")).toEqual([["on"]]);
    await database.close();
    await database.close();
    expect(await server()).toBeUndefined();
  });

  it("keeps the data when opened again", async () => {
    const first = await open();
    await query(first.url, "CREATE TABLE kept AS SELECT 7 AS n");
    await first.close();
    const second = await open();
    expect(await query(second.url, "SELECT n FROM kept")).toEqual([[7]]);
  });

  it("keeps the password in a file that only the board's user can read", async () => {
    await open();
    const { mode } = statSync(path.join(dataDir, "postgres/graphbooru.json"));
    expect(mode & 0o777).toBe(0o600);
  });

  it("flushes the password and the names of its folders to the disk", async () => {
    const flushed: string[] = [];
    const handle = await openFile(base);
    await handle.close();
    const files = Object.getPrototypeOf(handle) as FileHandle;
    const sync: (this: FileHandle) => Promise<void> = Reflect.get(files, "sync");
    const observed = vi.spyOn(files, "sync").mockImplementation(function (this: FileHandle) {
      flushed.push(
        path.relative(dataDir, readlinkSync(`/proc/self/fd/${this.fd}`)).replace(/^postgres\.new[^/]*/, "new"),
      );
      return sync.call(this);
    });
    await open({ ...FAST, fsync: "on" }).finally(() => observed.mockRestore());
    expect(flushed).toEqual(["new/data/graphbooru.json", "new/data", ""]);
  });

  it("removes what a killed initialization left, but not another container's, which may still be running", async () => {
    mkdirSync(path.join(dataDir, `postgres.new-4194303-0badcafe@${hostname()}/data`), { recursive: true });
    mkdirSync(path.join(dataDir, "postgres.new-4194303-0badcafe@0123456789ab/data"), { recursive: true });
    if (isRoot) chmodSync(dataDir, 0o711);
    await open();
    expect(readdirSync(dataDir).sort()).toEqual([
      "postgres",
      "postgres.log",
      "postgres.new-4194303-0badcafe@0123456789ab",
    ]);
  });

  it("removes it although the killed process' initdb still writes there", async () => {
    const data = path.join(dataDir, `postgres.new-4194303-0badcafe@${hostname()}/data`);
    mkdirSync(data, { recursive: true });
    if (isRoot) chmodSync(dataDir, 0o711);
    const write = `for (let n = 0, end = Date.now() + 500; Date.now() < end; n += 1)
      try { fs.mkdirSync(process.argv[1] + "/" + n); } catch { n = -1; }`;
    children.push(spawn(process.execPath, ["-e", write, data], { stdio: "ignore" }));
    await vi.waitUntil(() => readdirSync(data).length > 100);
    await open();
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log"]);
  });

  it("has as many connections as the board's processes need, also if a command that needs few starts it", async () => {
    const settings = { DATA_DIR: dataDir, DATABASE_URL: "", WORKERS: "4", DATABASE_CONNECTIONS: "100" };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    let found: unknown;
    const look = async (url: string) => void (found = await query(url, "SHOW max_connections"));
    await withDatabase(look, { mayCreate: true }).finally(() => vi.unstubAllEnvs());
    expect(found).toEqual([["180"]]);
  });

  it("creates one cluster when two processes start together", async () => {
    const [here, child] = await Promise.all([open(), openInChild()]);
    expect(child.url).toBe(here.url);
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log"]);
    await child.end("close");
    expect(await query(here.url, "SELECT 1")).toEqual([[1]]);
  });
});

describe("after a kill -9", () => {
  beforeEach(() => prepareDataDir(dataDir));

  it("adopts the running cluster of a killed process, and stops it", async () => {
    const killed = await openInChild();
    const before = await server();
    await query(killed.url, "CREATE TABLE kept AS SELECT 7 AS n");
    await killed.end("SIGKILL");
    expect((await server())?.pid).toBe(before?.pid);
    await expect
      .poll(() => query(killed.url, `SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory'`))
      .toEqual([[0]]);
    const database = await open();
    expect(database.url).toBe(killed.url);
    expect(await query(database.url, "SELECT n FROM kept")).toEqual([[7]]);
    await database.close();
    expect(await server()).toBeUndefined();
  });

  it("recovers a cluster whose server was killed", async () => {
    const first = await open({ ...FAST, synchronous_commit: "on" });
    await query(first.url, "CREATE TABLE kept AS SELECT 7 AS n");
    process.kill((await server())?.pid ?? 0, "SIGKILL");
    const second = await open();
    expect(await query(second.url, "SELECT n FROM kept")).toEqual([[7]]);
  });

  it("restarts a killed server on its port, to which its clients reconnect, once another program has left it", async () => {
    const database = await open();
    const { pid, port } = (await server()) as Postmaster;
    process.kill(pid, "SIGKILL");
    const other = createServer();
    const takePort = () => once(other.listen(port, "127.0.0.1"), "listening").then(() => true);
    await expect.poll(() => takePort().catch(() => false), { interval: 10 }).toBe(true);
    const log = () => readFileSync(path.join(dataDir, "postgres.log"), "utf8");
    await expect.poll(log, { timeout: 20_000 }).toContain("Address already in use");
    other.close();
    const answer = () => query(database.url, "SELECT 1").catch(() => null);
    await expect.poll(answer, { timeout: 20_000 }).toEqual([[1]]);
  });

  it("starts a server that was stopped on its last port, to which the clients of others reconnect", async () => {
    const first = await open();
    process.kill((await server())?.pid ?? 0, "SIGINT");
    await expect.poll(server, { interval: 5 }).toBeUndefined();
    const second = await open();
    expect(second.url).toBe(first.url);
    expect(await query(first.url, "SELECT 1")).toEqual([[1]]);
  });

  it("is not misled by a stale process id that another process of the same user has now", async () => {
    await (await open()).close();
    const file = path.join(dataDir, "postgres/postmaster.pid");
    writeFileSync(file, `${process.ppid}\n${dataDir}/postgres\n1700000000\n5432\n\n127.0.0.1\n\nready   \n`);
    const link = path.join(dataDir, "linked.pid");
    linkSync(file, link);
    const before = readFileSync(link, "utf8");
    const database = await open();
    expect(await query(database.url, "SELECT 1")).toEqual([[1]]);
    expect(readFileSync(link, "utf8")).toBe(before); // it was replaced as a whole: PostgreSQL never starts with an empty one
    expect(readdirSync(path.dirname(file)).filter((name) => name.startsWith("postmaster.pid"))).toHaveLength(1);
  });
});

describe("two processes", () => {
  beforeEach(() => prepareDataDir(dataDir));

  it("share the cluster, and the last one stops it", async () => {
    const child = await openInChild();
    const here = await open();
    expect(here.url).toBe(child.url);
    await child.end("close");
    expect(await query(here.url, "SELECT 1")).toEqual([[1]]);
    await here.close();
    expect(await server()).toBeUndefined();
  });

  it("end up with a running cluster when one opens it while the other closes it", async () => {
    let current = await open();
    for (let round = 0; round < 5; round += 1) {
      const closing = current.close();
      current = await open();
      await closing;
      expect(await query(current.url, "SELECT 1")).toEqual([[1]]);
    }
  });

  it("stay members when the server cuts their connections", async () => {
    const child = await openInChild();
    const here = await open();
    await query(
      here.url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'graphbooru membership'",
    );
    const members = `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'graphbooru membership'`;
    await expect.poll(() => query(here.url, members), { timeout: 20_000 }).toEqual([[2]]);
    await child.end("close");
    expect(await query(here.url, "SELECT 1")).toEqual([[1]]);
  });
});

describe("a command that Ctrl-C ends", () => {
  beforeEach(() => prepareDataDir(dataDir));

  it("stops the database that only it uses", async () => {
    const here = await open();
    const holding = new pg.Client({ connectionString: here.url });
    holding.on("error", () => undefined); // the database stops below
    await holding.connect();
    await holding.query("BEGIN; LOCK TABLE users");
    const env = { ...process.env, DATA_DIR: dataDir };
    const child = spawn("node", ["dist/src/cli.js", "user", "list"], { env, stdio: ["ignore", "ignore", "pipe"] });
    children.push(child);
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'users'::regclass";
    await expect.poll(async () => (await query(here.url, waiting)).length).toBeGreaterThan(0);
    await here.close();
    expect(await server()).not.toBeUndefined();
    const [said, exited] = [allOf(child.stderr), once(child, "exit")];
    child.kill("SIGINT");
    expect([await exited, await said]).toEqual([[130, null], ""]);
    expect(await server()).toBeUndefined();
  });

  it.each(["user list", "jobs list", "import --from-danbooru nowhere"])(
    "stops the database that %s is starting",
    async (words) => {
      const env = { ...process.env, DATA_DIR: dataDir };
      const child = spawn("node", ["dist/src/cli.js", ...words.split(" ")], { env, stdio: "ignore" });
      children.push(child);
      const exited = once(child, "exit");
      while (!(await server())) await new Promise(setImmediate);
      child.kill("SIGINT");
      await exited;
      expect(await server()).toBeUndefined();
    },
  );
});

describe("a command where there is no database", () => {
  it.each([
    "user list",
    "verify",
    "backup board.tar",
    "jobs list",
    "jobs retry 1",
    "jobs run",
    "db migrate",
    "storage verify --dry-run",
    "post delete 1 spam",
  ])("%s says so, and creates none", async (words) => {
    mkdirSync(dataDir);
    const env = { ...process.env, DATA_DIR: dataDir };
    const child = spawn("node", ["dist/src/cli.js", ...words.split(" ")], { env, stdio: ["ignore", "ignore", "pipe"] });
    children.push(child);
    const [said, exited] = [allOf(child.stderr), once(child, "exit")];
    expect([await exited, await said]).toEqual([
      [1, null],
      "There is no board with accounts; check DATABASE_URL, DATA_DIR and ENV_FILE.\n",
    ]);
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe.skipIf(!isRoot)("two containers on one volume (as root: only root can have other process ids)", () => {
  beforeEach(() => prepareDataDir(dataDir));

  const elsewhere = "waiting: the database runs in another container or on another machine";

  it("never run the database at the same time: the second one waits until the first one has stopped it", async () => {
    const container = await openInChild(CONTAINER);
    await query(container.url, "CREATE TABLE kept AS SELECT 7 AS n");
    const pidFile = path.join(dataDir, "postgres/postmaster.pid");
    const written = readFileSync(pidFile, "utf8");
    const messages: string[] = [];
    const opening = open(FAST, (message) => messages.push(message));
    await expect.poll(() => messages, { timeout: 10_000 }).toContain(elsewhere);
    expect(readFileSync(pidFile, "utf8")).toBe(written);
    expect(await query(container.url, "SELECT n FROM kept")).toEqual([[7]]);
    await container.end("close");
    expect(await query((await opening).url, "SELECT n FROM kept")).toEqual([[7]]);
    expect(messages).toEqual(["starting the database", elsewhere]);
  });

  it("leave nothing to wait for when the first one was killed", async () => {
    const container = await openInChild(CONTAINER);
    await container.end("SIGKILL");
    expect(await query((await open()).url, "SELECT 1")).toEqual([[1]]);
  });
});

describe("reports in one sentence", () => {
  const folder = () => path.join(dataDir, "postgres");

  it("that the data folder is of another version", async () => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(path.join(folder(), "PG_VERSION"), "12\n");
    await expect(open()).rejects.toThrow(
      `The database folder ${folder()} was created by PostgreSQL 12, and this board comes with PostgreSQL 18;`,
    );
    expect(readFileSync(path.join(folder(), "PG_VERSION"), "utf8")).toBe("12\n");
  });

  it("that the folder is not a data folder, and leaves it alone", async () => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(path.join(folder(), "diary.txt"), "dear diary");
    await expect(open()).rejects.toThrow(`The folder ${folder()} is not a PostgreSQL data folder.`);
    expect(readdirSync(folder())).toEqual(["diary.txt"]);
  });

  it("that the system lets nobody create a folder there, though its parent is there", async () => {
    for (const wanted of ["/proc/board", "/proc/board/data"])
      await expect(makeDataDir(wanted)).rejects.toThrow(
        `The data folder ${wanted} can't be created: no such file or folder.`,
      );
  });

  it("that a part of the path is a file", async () => {
    writeFileSync(path.join(base, "data"), "");
    await expect(open()).rejects.toThrow(/^The data folder .*\/data can't be created: there is a file of this name\.$/);
  });

  it.skipIf(noDisk)(
    `${noDisk ? `${noDisk}: ` : ""}that the disk is read-only, for folders within others too`,
    async () => {
      await using disk = await SmallDisk.mount(1);
      disk.readOnly(true);
      const wanted = path.join(disk.path, "boards", "data");
      await expect(makeDataDir(wanted)).rejects.toThrow(
        `The data folder ${wanted} can't be created: the file system is read-only.`,
      );
    },
  );

  it("why the server does not start", async () => {
    await expect(open({ ...FAST, shared_buffers: "a lot" })).rejects.toThrow(
      `PostgreSQL could not start in ${folder()}: invalid value for parameter "shared_buffers": "a lot".`,
    );
  });

  it.skipIf(!isRoot)(
    "which folder the database user can't access (as root: other users run the server as themselves)",
    async () => {
      chmodSync(base, 0o700);
      await expect(open()).rejects.toThrow(`can't enter the folder ${base}; allow it with "chmod o+x ${base}"`);
      expect(existsSync(folder())).toBe(false);
    },
  );

  it.skipIf(!isRoot)("that the cluster belongs to root (as root: only root can create such a folder)", async () => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(path.join(folder(), "PG_VERSION"), "18\n");
    await expect(open()).rejects.toThrow(`The database folder ${folder()} belongs to root`);
  });
});
