/** The server's process: finds it by `postmaster.pid`, starts and stops it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown, open, readFile, readlink, realpath, rename, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import os from "node:os";
import { codeOf, ifCode } from "../../lib/error-code.js";
import { fsync, removeFile } from "../../lib/files.js";
import { type Binaries, errorIn, programEnvironment, runProgram, type SystemUser } from "./binaries.js";
import { EmbeddedError, explain } from "./error.js";

const POLL_MS = 20;
const STOP_MS = 60_000;
const LOG_BYTES = 1024 * 1024;

export interface Cluster {
  folder: string;
  logFile: string;
  binaries: Binaries;
  user: SystemUser | undefined;
}

/** A running server; `status` is from its pid file: starting, ready, stopping. */
export interface Postmaster {
  pid: number;
  port: number;
  status: string;
}

/** Whether a process with this id exists and may be signalled; the server's may be. */
function isVisible(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether the process is the server of this folder: its pid may have been reused. */
async function serves(pid: number, folder: string): Promise<boolean> {
  if (pid === process.pid || !isVisible(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    // the server's working directory is its data folder; a zombie has none
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(folder));
  } catch (error) {
    return codeOf(error) === "EACCES";
  }
}

const pidFile = (folder: string) => path.join(folder, "postmaster.pid");
const readPidFile = (folder: string) => readFile(pidFile(folder), "utf8").catch(() => "");

/** The running server of a data folder. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const lines = (await readPidFile(folder)).split("\n");
  const pid = Math.abs(Number(lines[0]));
  if (!pid || !(await serves(pid, folder))) return undefined;
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() || "starting" };
}

/**
 * If the pid in a stale `postmaster.pid` has been reused by a process of the same user, PostgreSQL would not start. It ignores
 * its parent's pid, so the pid is replaced with ours. The other lines stay: PostgreSQL uses them to detect children that still run.
 * It never starts with an empty file, so the file is replaced as a whole.
 */
async function replaceStalePid(folder: string): Promise<void> {
  const text = await readPidFile(folder);
  const pid = Math.abs(Number.parseInt(text, 10));
  if (!pid || !isVisible(pid) || (await serves(pid, folder))) return;
  const replacement = `${pidFile(folder)}.${process.pid}`;
  try {
    await writeFile(replacement, text.replace(/^-?\d+/, String(process.pid)), { mode: 0o600 });
    const { uid, gid } = await stat(folder);
    await chown(replacement, uid, gid);
    await fsync(replacement, "r+");
    await rename(replacement, pidFile(folder));
  } finally {
    await removeFile(replacement);
  }
}

/** The port of the last server, to which its clients reconnect; 0 if there was none. PostgreSQL keeps its arguments in this file. */
async function lastPort(folder: string): Promise<number> {
  const used = await readFile(path.join(folder, "postmaster.opts"), "utf8").catch(() => "");
  return Number(/"port=(\d+)"/.exec(used)?.[1] ?? 0);
}

/** A free port: the wanted one if possible. */
async function freePort(wanted: number): Promise<number> {
  const server = createServer();
  const listen = (port: number) => once(server.listen(port, "127.0.0.1"), "listening");
  await listen(wanted).catch(() => listen(0));
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}

/** Renames a large log, replacing the previous one. @returns the size of the current log */
async function rotate(logFile: string): Promise<number> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size <= LOG_BYTES) return size;
  await rename(logFile, `${logFile}.1`).catch(ifCode(["ENOENT"], undefined)); // another process may have renamed it
  return 0;
}

const ELSEWHERE = "the database runs in another container or on another machine";
const HELD = 75;

/**
 * A command that runs a program with a lock of the cluster, which ends with the program and its children. PostgreSQL knows other
 * servers of its folder by their process ids only, and those of another container, or another machine, mean nothing here.
 * @returns an empty one where there are no such locks: outside of Linux, on some file systems; "held" if another server has it
 */
async function lockCommand({ folder, user }: Cluster): Promise<string[] | "held"> {
  const file = path.join(folder, "PG_VERSION");
  const [program, ...args] = ["flock", "--no-fork", "--nonblock", "--conflict-exit-code", String(HELD), file] as const;
  const { code } = await runProgram(program, [...args, "true"], user);
  if (code === HELD) return "held";
  return code === 0 ? [program, ...args] : [];
}

/** Starts the program in a session of its own, so that Ctrl-C in the terminal does not stop it. @param locked runs it with the lock */
async function launch(
  cluster: Cluster,
  locked: string[],
  settings: Record<string, string>,
  port: number,
): Promise<ChildProcess> {
  await using log = await open(cluster.logFile, "a", 0o600);
  const server = [cluster.binaries.postgres, "-D", cluster.folder, ...settingArguments(settings, port)];
  const [program = "", ...args] = [...locked, ...server];
  const child = spawn(program, args, {
    cwd: "/",
    env: programEnvironment(),
    stdio: ["ignore", log.fd, log.fd],
    detached: true,
    ...cluster.user,
  });
  await once(child, "spawn");
  child.unref();
  return child;
}

/** Transient errors: another process was faster, the port was taken, children of a killed server still run. */
const TRANSIENT = /postmaster\.pid" already exists|Address already in use|pre-existing shared memory block/;

/**
 * Starts the server and waits until it is ready or has exited.
 * @param port required port; by default that of the last server if it is free
 * @returns the error if it is transient; undefined if the server is ready
 * @throws EmbeddedError for other errors
 */
export async function startPostmaster(
  cluster: Cluster,
  settings: Record<string, string>,
  port?: number,
): Promise<string | undefined> {
  const failure = `PostgreSQL could not start in ${cluster.folder}`;
  return explain(failure, async () => {
    const at = port ?? (await freePort(await lastPort(cluster.folder)));
    const locked = await lockCommand(cluster);
    if (locked === "held") return ELSEWHERE;
    await replaceStalePid(cluster.folder);
    const logged = await rotate(cluster.logFile);
    const child = await launch(cluster, locked, settings, at);
    while (child.exitCode === null && child.signalCode === null) {
      const found = await findPostmaster(cluster.folder);
      if (found?.pid === child.pid && found?.status === "ready") return undefined;
      await sleep(POLL_MS);
    }
    if (child.exitCode === HELD) return ELSEWHERE;
    const output = (await readFile(cluster.logFile)).subarray(logged).toString("utf8");
    const message = errorIn(output);
    if (TRANSIENT.test(output)) return message;
    throw new EmbeddedError(`${failure}: ${message}.`);
  });
}

/** Stops the server (fast shutdown: sessions are closed, data is flushed), and kills it if that takes too long; it then recovers at its start. */
export async function stopPostmaster(folder: string): Promise<void> {
  const running = await findPostmaster(folder);
  if (!running) return;
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    try {
      process.kill(running.pid, signal);
    } catch {
      return; // it has exited
    }
    for (const end = performance.now() + STOP_MS; performance.now() < end; await sleep(POLL_MS)) {
      if ((await findPostmaster(folder))?.pid !== running.pid) return;
    }
  }
}

const MEGABYTE = 1024 * 1024;

/** Memory of the machine or container in megabytes. */
function memory(): number {
  const constrained = process.constrainedMemory();
  return Math.floor(Math.min(os.totalmem(), constrained > 0 ? constrained : Infinity) / MEGABYTE);
}

/** A sixteenth of the memory: 1.5 GB of 24, enough for the indexes that searches of two million posts read. */
const sharedBuffers = (): number => Math.min(Math.max(Math.floor(memory() / 16), 128), 4096);

/** The server's settings, for a machine with two cores, whose memory is shared with the board. */
const DEFAULTS: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "", // a killed server would leave the socket file
  password_encryption: "scram-sha-256",
  max_connections: "100",
  shared_buffers: `${sharedBuffers()}MB`,
  effective_cache_size: `${Math.floor(memory() / 2)}MB`,
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  random_page_cost: "1.1", // the data is on an SSD or in memory
  jit: "off", // compiling takes longer than our short queries
  max_parallel_workers_per_gather: "0", // the second core is for the board
  max_wal_size: "2GB",
  timezone: "UTC",
  // log starts, stops and crashes; the board reports errors of statements
  log_min_messages: "log",
  log_checkpoints: "off",
  log_autovacuum_min_duration: "-1",
  log_timezone: "UTC",
};

/** Command-line arguments of `postgres` for the defaults, overridden by `settings`, and the port: so its folder needs no configuration. */
const settingArguments = (settings: Record<string, string>, port: number): string[] =>
  Object.entries({ ...DEFAULTS, ...settings, port: String(port) }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
