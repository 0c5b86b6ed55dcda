/**
 * The embedded PostgreSQL: a cluster in DATA_DIR/postgres that the server and the `board` command share.
 *
 * Every process that uses it holds a shared advisory lock, so that the last one to close it stops it. Advisory locks end with
 * their session, so killed processes leave no locks: the next process finds the cluster running, or starts it, and
 * PostgreSQL recovers by itself.
 */
import { stat } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../lib/error-code.js";
import type { Config } from "../config.js";
import { findBinaries } from "./embedded/binaries.js";
import { createCluster, hasCluster, makeDataDir, readPassword } from "./embedded/folder.js";
import type { Cluster } from "./embedded/postmaster.js";
import { type EmbeddedLog, Membership } from "./embedded/membership.js";
import { checkEntry, serverUser } from "./embedded/user.js";

export interface EmbeddedOptions {
  /** the board's data folder; the cluster is in its subfolder `postgres` */
  dataDir: string;
  log?: EmbeddedLog;
  /** PostgreSQL settings that override the defaults, if this call starts the server */
  settings?: Record<string, string>;
}

export interface EmbeddedDatabase {
  /** connection string of the board's database, for `pg` and `psql` alike */
  url: string;
  /** leaves the cluster, and stops it if no other process uses it; can be called repeatedly */
  close(): Promise<void>;
}

const folderIn = (dataDir: string): string => path.join(dataDir, "postgres");

/** Whether there is an embedded database in this folder; true as well if that can't be told. */
export const hasOwn = (dataDir: string): Promise<boolean> =>
  stat(folderIn(dataDir)).then(
    () => true,
    (error: unknown) => codeOf(error) !== "ENOENT",
  );

/** Creates the cluster if it does not exist, and checks its version and permissions. */
async function prepare(options: EmbeddedOptions): Promise<Cluster> {
  const dataDir = path.resolve(options.dataDir);
  const folder = folderIn(dataDir);
  const binaries = await findBinaries();
  await makeDataDir(dataDir);
  const exists = await hasCluster(folder, binaries);
  const user = await serverUser(folder);
  await checkEntry(user, [dataDir, binaries.folder]);
  if (!exists) {
    options.log?.(`creating the database in ${folder}`);
    await createCluster(folder, binaries, user, options.settings?.fsync !== "off");
  }
  return { folder, logFile: path.join(dataDir, "postgres.log"), binaries, user };
}

/** Those that this process is opening, or has opened and not left yet. */
const opened = new Set<Promise<EmbeddedDatabase>>();

/** Leaves all of them, for a process that is about to end. */
export async function leaveEmbedded(): Promise<void> {
  await Promise.allSettled([...opened].map((each) => each.then((database) => database.close())));
}

/** Opens the embedded database; creates and starts it if necessary. @throws EmbeddedError */
export function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const opening = open(options, () => opened.delete(opening));
  opened.add(opening);
  return opening;
}

async function open(options: EmbeddedOptions, forget: () => void): Promise<EmbeddedDatabase> {
  const cluster = await prepare(options);
  const password = await readPassword(cluster.folder);
  const membership = new Membership(cluster, password, options.settings ?? {}, options.log ?? (() => undefined));
  await membership.join().catch(async (error: unknown) => {
    await membership.leave().catch(() => undefined); // it may have started the server
    throw error;
  });
  let closed: Promise<void> | undefined;
  return {
    url: membership.url,
    close: () => (closed ??= membership.leave().finally(forget)),
  };
}

/** Connections of a server process outside its pool (jobs, events, the registry of workers), with a reserve. */
const BESIDE_POOL = 10;
/** Connections of other processes: the `board` command, psql. */
const OTHERS = 40;

/**
 * The database of a board: that of `DATABASE_URL`, or the embedded one, with the same settings whichever of its processes starts it.
 * @throws EmbeddedError
 */
export async function openServer(config: Config, log?: EmbeddedLog): Promise<AsyncDisposable & { url: string }> {
  const { DATABASE_URL, WORKERS, DATABASE_CONNECTIONS, dataDir } = config;
  if (DATABASE_URL) return { url: DATABASE_URL, [Symbol.asyncDispose]: () => Promise.resolve() };
  const ofAll = Math.max(DATABASE_CONNECTIONS, 2 * WORKERS) + BESIDE_POOL * WORKERS + OTHERS;
  const settings = { max_connections: String(Math.max(100, ofAll)) };
  const embedded = await openEmbedded({ dataDir, settings, ...(log ? { log } : {}) });
  return { url: embedded.url, [Symbol.asyncDispose]: () => embedded.close() };
}
