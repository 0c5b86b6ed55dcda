import { stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";

/** The folders of temporary files that belong to living storages of this process. */
export const liveFolders = new Set<string>();

/** A day, in milliseconds: no upload takes that long, and a folder's time is renewed by every file made in it. */
const TOO_OLD_MS = 24 * 60 * 60 * 1000;

/** `<hostname>-<pid>-<random>`; the host's name may have dashes itself. */
const FOLDER = /^(?<host>.+)-(?<pid>\d+)-[0-9a-f]+$/;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function isOld(entry: string): Promise<boolean> {
  const found = await stat(entry).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > TOO_OLD_MS;
}

/**
 * Whether a folder of temporary files has lost its owner: its process on this host is dead; or it bears the number of this
 * very process but is none of its folders (containers give every process the same number); or it is older than a day.
 */
export async function isLeftover(entry: string): Promise<boolean> {
  if (liveFolders.has(entry)) return false;
  const { host, pid } = FOLDER.exec(path.basename(entry))?.groups ?? {};
  const isOurs = host === hostname();
  if (isOurs && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
  return isOld(entry);
}
