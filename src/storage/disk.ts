import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import {
  type ByteRange,
  checkedKey,
  folderOf,
  type ListedFile,
  type Storage,
  type StoredFile,
  TEMPORARY_FOLDER,
  type TemporaryFile,
} from "./storage.js";
import { TemporaryFolder } from "./temporary.js";

/** Files in a folder of the local disk. Temporary files lie below the same folder, so that moving them is a rename. */
export class DiskStorage implements Storage {
  readonly isRemote = false;
  readonly #root: string;
  readonly #temporary: TemporaryFolder;

  /** @param mediaDir folder of the files; made when the first one comes */
  constructor(mediaDir: string) {
    this.#root = path.resolve(mediaDir);
    this.#temporary = new TemporaryFolder(path.join(this.#root, TEMPORARY_FOLDER));
  }

  createTemporary(ext?: string): Promise<TemporaryFile> {
    return this.#temporary.create(ext);
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
    for await (const key of this.#keysBelow(folderOf(prefix))) {
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

  sweepTemporary(): Promise<number> {
    return this.#temporary.sweep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#temporary[Symbol.asyncDispose]();
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
