/** Temporary files on the local disk, in one folder per process. */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { ifCode, NOTHING_THERE } from "../lib/error-code.js";
import { isRunning } from "../lib/is-running.js";
import { removeFile } from "../lib/files.js";
import { checkedKey } from "./storage.js";

/** A file that is being written. */
export interface TemporaryFile {
  /** absolute path; the caller creates the file */
  path: string;
  /** Removes the file if it exists. */
  remove(): Promise<void>;
}

/** The folders of this process's open storages. */
const liveFolders = new Set<string>();

/** A day: no upload takes that long, and every new file updates the folder's time. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** `<hostname>-<pid>-<random>`; the host name may contain dashes. */
const FOLDER = /^(?<host>.+)-(?<pid>\d+)-[0-9a-f]+$/;

async function isOld(entry: string): Promise<boolean> {
  const found = await stat(entry).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > MAX_AGE_MS;
}

export class TemporaryFolder implements AsyncDisposable {
  readonly #folder: string;

  /** @param parent contains the folders of all processes; created with the first file */
  constructor(private readonly parent: string) {
    const name = `${hostname()}-${process.pid}-${randomBytes(6).toString("hex")}`;
    this.#folder = path.join(parent, name);
    liveFolders.add(this.#folder);
  }

  /**
   * Reserves a path for a new file.
   * @param ext its extension, with or without the dot
   * @throws InvalidKeyError if the extension would lead out of the folder
   */
  async create(ext?: string): Promise<TemporaryFile> {
    const suffix = ext === undefined ? "" : `.${checkedKey(ext.replace(/^\./, ""))}`;
    const name = randomBytes(12).toString("hex") + suffix;
    // Every time: another process removes the folder after a day without use.
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = path.join(this.#folder, name);
    return { path: file, remove: () => removeFile(file) };
  }

  /** Removes folders of processes that no longer run. @returns their number */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.parent).catch(ifCode(NOTHING_THERE, []))) {
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

/**
 * Whether the owner of a folder no longer runs: its process on this host has ended; or it has this process's pid but is
 * not one of its folders (pids repeat in containers); or it is older than a day.
 */
async function isLeftover(entry: string): Promise<boolean> {
  if (liveFolders.has(entry)) return false;
  const { host, pid } = FOLDER.exec(path.basename(entry))?.groups ?? {};
  const isOurs = host === hostname();
  if (isOurs && (Number(pid) === process.pid || !isRunning(Number(pid)))) return true;
  return isOld(entry);
}
