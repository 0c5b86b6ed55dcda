import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { ifCode, NOTHING_THERE } from "../lib/error-code.js";
import { fsync, removeFile } from "../lib/files.js";
import {
  type ByteRange,
  checkedKey,
  type ListedFile,
  type Storage,
  type StoredFile,
  TEMPORARY_FOLDER,
  TemporaryFolder,
} from "./storage.js";

/** Files in a folder of the local disk. Temporary files are in the same folder, so that they can be moved by renaming. */
export class DiskStorage implements Storage {
  readonly isRemote = false;
  readonly temporary: TemporaryFolder;
  readonly #root: string;

  /** @param mediaDir folder of the files; created with the first one */
  constructor(mediaDir: string) {
    this.#root = path.resolve(mediaDir);
    this.temporary = new TemporaryFolder(path.join(this.#root, TEMPORARY_FOLDER));
  }

  async put(temporaryPath: string, key: string): Promise<void> {
    const target = this.localPath(key);
    // Safe against power cuts in this order: sync the content, rename, then sync the folders.
    await fsync(temporaryPath, "r+");
    await mkdir(path.dirname(target), { recursive: true });
    await rename(temporaryPath, target);
    await this.#syncFolders(path.dirname(target));
  }

  async remove(key: string): Promise<void> {
    await removeFile(this.localPath(key));
  }

  async stat(key: string): Promise<StoredFile | null> {
    const found = await stat(this.localPath(key)).catch(ifCode(NOTHING_THERE, null));
    return found?.isFile() ? { size: found.size, mtime: found.mtime } : null;
  }

  async *list(): AsyncIterable<ListedFile> {
    for await (const key of this.#keysBelow("")) {
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.temporary[Symbol.asyncDispose]();
  }

  /** Syncs every folder up to the root, existing ones too: a concurrent `put` may have created but not yet synced them. */
  async #syncFolders(leaf: string): Promise<void> {
    for (let folder = leaf; folder !== this.#root; folder = path.dirname(folder)) await fsync(folder);
    await fsync(this.#root);
  }

  async *#keysBelow(folder: string): AsyncIterable<string> {
    const at = path.join(this.#root, folder);
    const entries = await readdir(at, { withFileTypes: true }).catch(ifCode(NOTHING_THERE, []));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const key = folder ? `${folder}/${entry.name}` : entry.name;
      if (key === TEMPORARY_FOLDER) continue;
      if (entry.isDirectory()) yield* this.#keysBelow(key);
      if (entry.isFile()) yield key;
    }
  }
}
