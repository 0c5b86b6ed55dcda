/** The server's process: found by its `postmaster.pid`, started, stopped. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { open, readFile, readlink, realpath, rename, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Binaries, complaintIn, programEnvironment, type SystemUser } from "./binaries.js";
import { codeOf, EmbeddedError, explain } from "./error.js";
import { settingArguments } from "./settings.js";

const POLL_MS = 20;
const STOP_MS = 60_000;
const LOG_BYTES = 1024 * 1024;

/** A cluster on disk, and what is needed to run it. */
export interface Cluster {
  folder: string;
  logFile: string;
  binaries: Binaries;
  user: SystemUser | undefined;
}

/** A running server; `status` is the server's own word: starting, ready, stopping. */
export interface Postmaster {
  pid: number;
  port: number;
  status: string;
}

/** Whether there is such a process that we may signal: another user's is not the one that was started here. */
function isVisible(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether the process is the server of this folder; another one may have been given its number since. */
async function serves(pid: number, folder: string): Promise<boolean> {
  if (pid === process.pid || !isVisible(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    // the server works in its data folder; a zombie has no folder at all
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(folder));
  } catch (error) {
    return codeOf(error) === "EACCES";
  }
}

const pidFile = (folder: string) => path.join(folder, "postmaster.pid");

/** The running server of this folder. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFile(folder), "utf8").catch(() => "")).split("\n");
  const pid = Math.abs(Number(lines[0]));
  if (!pid || !(await serves(pid, folder))) return undefined;
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() || "starting" };
}

/**
 * PostgreSQL takes a left-over `postmaster.pid` for live when its number has gone to any other process of the same user. It
 * never does so for its parent's number, which is ours. The other lines stay: they inform it of children that are still alive.
 */
async function disarmStaleFile(folder: string): Promise<void> {
  const text = await readFile(pidFile(folder), "utf8").catch(() => "");
  const pid = Math.abs(Number.parseInt(text, 10));
  if (!pid || !isVisible(pid) || (await serves(pid, folder))) return;
  await writeFile(pidFile(folder), text.replace(/^-?\d+/, String(process.pid)));
}

/** Where a server that died had listened; its clients look for it there. */
async function lastPort(folder: string): Promise<number> {
  const lines = (await readFile(pidFile(folder), "utf8").catch(() => "")).split("\n");
  return Number(lines[3]) || 0;
}

/** A port that is free at this moment: the wanted one, if it is. */
function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => (wanted === 0 ? reject(error) : resolve(freePort())));
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Moves a log that has grown large aside, over the one before. */
async function rotate(logFile: string): Promise<number> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size <= LOG_BYTES) return size;
  await rename(logFile, `${logFile}.1`);
  return 0;
}

/** Starts the program in a session of its own: Ctrl-C in the board's terminal is not for it. */
async function launch(cluster: Cluster, settings: Record<string, string>, port: number): Promise<ChildProcess> {
  const log = await open(cluster.logFile, "a", 0o600);
  try {
    const args = ["-D", cluster.folder, ...settingArguments(settings, port)];
    const child = spawn(cluster.binaries.postgres, args, {
      cwd: "/",
      env: programEnvironment(),
      stdio: ["ignore", log.fd, log.fd],
      detached: true,
      ...cluster.user,
    });
    await once(child, "spawn");
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

/** Reasons that pass by themselves: another process was first, the port was taken, children of a killed server linger. */
const PASSING = /postmaster\.pid" already exists|Address already in use|pre-existing shared memory block/;

/**
 * Starts the server and waits until it is ready or has given up.
 * @param port where it should listen, if it can; by default where it did before it died
 * @returns why it gave up when trying again may help, or undefined
 * @throws EmbeddedError when trying again won't help
 */
export async function startPostmaster(
  cluster: Cluster,
  settings: Record<string, string>,
  port?: number,
): Promise<string | undefined> {
  const failure = `PostgreSQL could not start in ${cluster.folder}`;
  return explain(failure, async () => {
    const at = await freePort(port ?? (await lastPort(cluster.folder)));
    await disarmStaleFile(cluster.folder);
    const logged = await rotate(cluster.logFile);
    const child = await launch(cluster, settings, at);
    while (child.exitCode === null && child.signalCode === null) {
      const found = await findPostmaster(cluster.folder);
      if (found?.pid === child.pid && found?.status === "ready") return undefined;
      await sleep(POLL_MS);
    }
    const output = (await readFile(cluster.logFile)).subarray(logged).toString("utf8");
    const complaint = complaintIn(output);
    if (PASSING.test(output)) return complaint;
    throw new EmbeddedError(`${failure}: ${complaint}.`);
  });
}

/** Ends the server: sessions are cut off, the data is written out. One that doesn't obey is ended the hard way, which is as safe. */
export async function stopPostmaster(folder: string): Promise<void> {
  const running = await findPostmaster(folder);
  if (!running) return;
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    try {
      process.kill(running.pid, signal);
    } catch {
      return; // gone in the meantime
    }
    for (const end = Date.now() + STOP_MS; Date.now() < end; await sleep(POLL_MS)) {
      if ((await findPostmaster(folder))?.pid !== running.pid) return;
    }
  }
}
