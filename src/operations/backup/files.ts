/** Puts the files of a backup in place, several at once: each waits for the disk, or the network. */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { parseKey } from "../../storage/keys.js";
import type { Storage, TemporaryFile } from "../../storage/storage.js";
import { type ArchiveEntry, BackupError, DAMAGED } from "./archive.js";

const AT_ONCE = 16;

export class FileLoader {
  private waiting: Promise<unknown>[] = [];
  /** files so far */
  count = 0;

  constructor(private readonly storage: Storage) {}

  /** @throws BackupError for an entry that is no file of a board; what the disk says of this one or those before */
  async add(key: string, entry: ArchiveEntry): Promise<void> {
    if (!parseKey(key)) throw new BackupError(DAMAGED);
    const file = await this.storage.createTemporary();
    await pipeline(entry.stream(), createWriteStream(file.path));
    const put = this.put(file, key);
    put.catch(() => undefined); // heard of in `finish`
    this.count += 1;
    if (this.waiting.push(put) >= AT_ONCE) await this.finish();
  }

  private async put(file: TemporaryFile, key: string): Promise<void> {
    try {
      await this.storage.put(file.path, key);
    } finally {
      await file.remove();
    }
  }

  /** Waits for all. @throws what the disk says of any */
  async finish(): Promise<void> {
    const done = this.waiting;
    this.waiting = [];
    await Promise.all(done);
  }

  /** Removes everything from the storage, which was empty before. */
  async undo(): Promise<void> {
    await Promise.allSettled(this.waiting);
    for await (const { key } of this.storage.list()) await this.storage.remove(key);
  }
}
