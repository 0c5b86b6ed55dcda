/**
 * Once per run: a temporary folder, in memory where there is plenty, for an embedded cluster with one migrated database that
 * `createDatabase` copies, and for the temporary files of all tests.
 * Everything is gone afterwards; what a killed run leaves behind is removed by the next one.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, statfsSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { TestProject } from "vitest/node";
import { type EmbeddedDatabase, openEmbedded } from "../../src/database/embedded.js";
import { NAME } from "../../src/database/embedded/folder.js";
import { migrate } from "../../src/database/migrate.js";
import { withSession } from "../../src/database/session.js";
import { discard } from "./clusters.js";
import { migrateQueue } from "../../src/runtime/jobs/queue.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { FAST, TEMPLATE } from "./embedded-settings.js";
import { PREPARED } from "./prepared.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** the run's cluster: superuser's connection string of the database that `createDatabase` is called from */
    databaseUrl: string;
    /** the folder of its socket, for those who connect often */
    databaseSockets: string;
    /** the run's temporary folder, for what must not outlive it */
    runFolder: string;
  }
}

const PREFIX = "graphbooru-test-";

/** A file system in memory: making the thousand files of each database takes no disk's bookkeeping there. */
const IN_MEMORY = "/dev/shm";
/** Bytes that have to be free there; a run's databases and their log take less than half. */
const ROOM = 8 * 1024 ** 3;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM && os.freemem() >= ROOM;
  } catch {
    return false; // not on this system
  }
}

function makeFolder(): string {
  const parent = hasRoom(IN_MEMORY) ? IN_MEMORY : os.tmpdir();
  const folder = mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o711); // the database's user has to enter it
  return folder;
}

/** A folder in which any user makes files, as in the system's own temporary one. */
function makeOpenFolder(parent: string, name: string): string {
  const folder = path.join(parent, name);
  mkdirSync(folder);
  chmodSync(folder, 0o1777);
  return folder;
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
};

/** Discards the folders of runs whose process is gone. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    // other folders have letters and digits here, and no dash
    const pid = Number(/^(\d+)-/.exec(name.slice(PREFIX.length))?.[1]);
    if (pid && isGone(pid)) discard(path.join(parent, name));
  }
}

/** Runs work on the database `postgres`, so that no session is connected to the board's. */
const administer = <T>(database: EmbeddedDatabase, work: (session: pg.Client) => Promise<T>): Promise<T> =>
  withSession(database.url.replace(/\/\w+(?=\?)/, "/postgres"), "set-up", work);

/** A pool that has ended still closes its connections, and one that the server closes first would end the process. */
async function untilAlone(session: pg.Client): Promise<void> {
  const others = () => session.query("SELECT FROM pg_stat_activity WHERE datname = $1", [NAME]);
  while ((await others()).rowCount) await sleep(10);
}

/** The password as it is: thousands of connections prove by SCRAM that they know it, which takes longer than the rest of connecting. */
const ACCESS = `local all all password
host all all 127.0.0.1/32 password
`;

/** A cluster with a migrated database, with its socket in a folder. A copy of it is left, stopped, for `prepareDataDir`. */
async function makeCluster(folder: string, sockets: string): Promise<EmbeddedDatabase> {
  const made = await openEmbedded({ dataDir: folder, settings: FAST });
  await migrate(made.url);
  await migrateQueue(made.url, createLog("silent"));
  await administer(made, untilAlone);
  await made.close();
  process.env[PREPARED] = path.join(folder, "prepared");
  const cluster = path.join(folder, "postgres");
  execFileSync("cp", ["-a", cluster, process.env[PREPARED]]);
  writeFileSync(path.join(cluster, "pg_hba.conf"), ACCESS);
  return openEmbedded({ dataDir: folder, settings: { ...FAST, unix_socket_directories: sockets } });
}

/** The database that `createDatabase` copies, and a password that is cheap to check: thousands of connections do so. */
const makeTemplate = (database: EmbeddedDatabase): Promise<void> =>
  administer(database, async (session) => {
    await session.query(`CREATE DATABASE ${TEMPLATE} TEMPLATE ${NAME}`);
    await session.query("SET scram_iterations = 1");
    await session.query(`ALTER ROLE ${NAME} PASSWORD ${session.escapeLiteral(new URL(database.url).password)}`);
  });

/** Discards the run's folder when vitest is interrupted or gives up before it comes to the teardown. */
function discardOnExit(folder: string): () => void {
  const onExit = () => discard(folder);
  const onSignal = () => process.exit(130);
  process.once("exit", onExit);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, onSignal);
  return () => process.off("exit", onExit);
}

/** vitest calls it before the first test file, and what it returns after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync(process.execPath, ["scripts/setup.mjs", "--quiet"], { stdio: "inherit" }); // decoders are started as they are built
  for (const parent of [os.tmpdir(), IN_MEMORY].filter((folder) => existsSync(folder))) sweep(parent);
  const folder = makeFolder();
  const keep = discardOnExit(folder);
  // in memory, writing and syncing files takes a fraction of the processor time that a disk's file system takes
  process.env.TMPDIR = makeOpenFolder(folder, "tmp");
  const sockets = makeOpenFolder(folder, "sockets");
  const database = await makeCluster(folder, sockets);
  await makeTemplate(database);
  project.provide("databaseUrl", database.url);
  project.provide("databaseSockets", sockets);
  project.provide("runFolder", folder);
  return async () => {
    await database.close();
    keep();
    discard(folder);
  };
}
