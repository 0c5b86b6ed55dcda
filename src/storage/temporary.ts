/** The files that are still being made: on the local disk, each process in a folder of its own. */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { checkedKey, type TemporaryFile } from "./storage.js";

/** The folders of temporary files that belong to living storages of this process. */
const liveFolders = new Set<string>();

/** A day, in milliseconds: no upload takes that long, and a folder's time is renewed by every file made in it. */
const TOO_OLD_MS = 24 * 60 * 60 * 1000;

/** `<hostname>-<pid>-<random>`; the host's name may have dashes itself. */
const FOLDER = /^(?<host>.+)-(?<pid>\d+)-[0-9a-f]+$/;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is running, as another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function isOld(entry: string): Promise<boolean> {
  const found = await stat(entry).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > TOO_OLD_MS;
}

export class TemporaryFolder implements AsyncDisposable {
  readonly #folder: string;

  /** @param parent where the folders of all processes are; made when the first file comes */
  constructor(private readonly parent: string) {
    const name = `${hostname()}-${process.pid}-${randomBytes(6).toString("hex")}`;
    this.#folder = path.join(parent, name);
    liveFolders.add(this.#folder);
  }

  /** A place for a new file. @throws InvalidKeyError for an extension that leads elsewhere */
  async create(ext?: string): Promise<TemporaryFile> {
    const suffix = ext === undefined ? "" : `.${checkedKey(ext.replace(/^\./, ""))}`;
    const name = randomBytes(12).toString("hex") + suffix;
    // Each time: after a day without use another process may have removed the folder.
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = path.join(this.#folder, name);
    return { path: file, remove: () => rm(file, { force: true }) };
  }

  /** Removes what died processes left behind, and answers how many leftovers there were. */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const name of await namesIn(this.parent)) {
      const entry = path.join(this.parent, name);
      if (!(await isLeftover(entry))) continue;
      await rm(entry, { recursive: true, force: true });
      removed += 1;
    }
    return removed;
  }

  /** Removes the files of this process. */
  async [Symbol.asyncDispose](): Promise<void> {
    liveFolders.delete(this.#folder);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

/**
 * Whether a folder of temporary files has lost its owner: its process on this host is dead; or it bears the number of this
 * very process but is none of its folders (containers give every process the same number); or it is older than a day.
 */
async function isLeftover(entry: string): Promise<boolean> {
  if (liveFolders.has(entry)) return false;
  const { host, pid } = FOLDER.exec(path.basename(entry))?.groups ?? {};
  const isOurs = host === hostname();
  if (isOurs && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
  return isOld(entry);
}
