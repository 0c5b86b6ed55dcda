import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import {
  type ByteRange,
  checkedKey,
  type ListedFile,
  type Storage,
  type StoredFile,
  TEMPORARY_FOLDER,
  type TemporaryFile,
} from "./storage.js";
import { isLeftover, liveFolders } from "./temporary.js";

/** Files in a folder of the local disk. Temporary files lie below the same folder, so that moving them is a rename. */
export class DiskStorage implements Storage {
  readonly #root: string;
  readonly #temporary: string;

  /** @param mediaDir folder of the files; made when the first one comes */
  constructor(mediaDir: string) {
    this.#root = path.resolve(mediaDir);
    const name = `${hostname()}-${process.pid}-${randomBytes(6).toString("hex")}`;
    this.#temporary = path.join(this.#root, TEMPORARY_FOLDER, name);
    liveFolders.add(this.#temporary);
  }

  async createTemporary(ext?: string): Promise<TemporaryFile> {
    const suffix = ext === undefined ? "" : `.${checkedKey(ext.replace(/^\./, ""))}`;
    const name = randomBytes(12).toString("hex") + suffix;
    // Each time anew: after a day of silence another process may have swept the folder away.
    await mkdir(this.#temporary, { recursive: true, mode: 0o700 });
    const file = path.join(this.#temporary, name);
    return { path: file, remove: () => rm(file, { force: true }) };
  }

  async put(temporaryPath: string, key: string): Promise<void> {
    const target = this.localPath(key);
    // The order makes it safe: bytes on the disk, then the name, then the folders that hold the name.
    await synchronise(temporaryPath, "r+");
    await mkdir(path.dirname(target), { recursive: true });
    await rename(temporaryPath, target);
    await this.#synchroniseFolders(path.dirname(target));
  }

  async remove(key: string): Promise<void> {
    await rm(this.localPath(key), { force: true });
  }

  async exists(key: string): Promise<boolean> {
    return (await this.stat(key)) !== null;
  }

  async stat(key: string): Promise<StoredFile | null> {
    return fileAt(this.localPath(key));
  }

  async *list(prefix = ""): AsyncIterable<ListedFile> {
    const end = prefix.lastIndexOf("/");
    const folder = end < 0 ? "" : checkedKey(prefix.slice(0, end));
    for await (const key of this.#keysBelow(folder)) {
      if (!key.startsWith(prefix)) continue;
      const file = await this.stat(key);
      if (file) yield { key, ...file };
    }
  }

  open(key: string, range: ByteRange = {}): Readable {
    return createReadStream(this.localPath(key), range);
  }

  localPath(key: string): string {
    return path.join(this.#root, checkedKey(key));
  }

  async sweepTemporary(): Promise<number> {
    const parent = path.join(this.#root, TEMPORARY_FOLDER);
    let removed = 0;
    for (const name of await namesIn(parent)) {
      const entry = path.join(parent, name);
      if (!(await isLeftover(entry))) continue;
      await rm(entry, { recursive: true, force: true });
      removed += 1;
    }
    return removed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    liveFolders.delete(this.#temporary);
    await rm(this.#temporary, { recursive: true, force: true });
  }

  /** Every folder up to the root, also those that were there: another `put` may have made them and not got so far yet. */
  async #synchroniseFolders(leaf: string): Promise<void> {
    for (let folder = leaf; folder !== this.#root; folder = path.dirname(folder)) await synchronise(folder, "r");
    await synchronise(this.#root, "r");
  }

  async *#keysBelow(folder: string): AsyncIterable<string> {
    for (const entry of await entriesIn(path.join(this.#root, folder))) {
      const key = folder ? `${folder}/${entry.name}` : entry.name;
      if (key === TEMPORARY_FOLDER) continue;
      if (entry.isDirectory()) yield* this.#keysBelow(key);
      if (entry.isFile()) yield key;
    }
  }
}

const isMissing = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
};

async function synchronise(file: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(file, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function fileAt(file: string): Promise<StoredFile | null> {
  try {
    const found = await stat(file);
    return found.isFile() ? { size: found.size, mtime: found.mtime } : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function entriesIn(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const namesIn = async (folder: string): Promise<string[]> => (await entriesIn(folder)).map((entry) => entry.name);
