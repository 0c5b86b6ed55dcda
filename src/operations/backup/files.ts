/** Stores the files of a backup, several at once: each waits for the disk or network. */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { parseKey } from "../../storage/keys.js";
import type { Storage } from "../../storage/storage.js";
import type { TemporaryFile } from "../../storage/temporary.js";
import { type ArchiveEntry, BackupError, DAMAGED } from "./archive.js";

const CONCURRENCY = 16;

export class FileLoader {
  private pending: Promise<unknown>[] = [];
  /** stored files */
  count = 0;

  constructor(private readonly storage: Storage) {}

  /** @throws BackupError if the entry is not a media file; errors of the storage for this or earlier files */
  async add(key: string, entry: ArchiveEntry): Promise<void> {
    if (!parseKey(key)) throw new BackupError(DAMAGED);
    const file = await this.storage.temporary.create();
    await pipeline(entry.stream(), createWriteStream(file.path));
    const put = this.put(file, key);
    put.catch(() => undefined); // thrown by `finish`
    this.count += 1;
    if (this.pending.push(put) >= CONCURRENCY) await this.finish();
  }

  private async put(file: TemporaryFile, key: string): Promise<void> {
    try {
      await this.storage.put(file.path, key);
    } finally {
      await file.remove();
    }
  }

  /** Waits until all files are stored. @throws errors of the storage */
  async finish(): Promise<void> {
    const { pending } = this;
    this.pending = [];
    await Promise.all(pending);
  }

  /** Removes all files from the storage, which was empty before. */
  async undo(): Promise<void> {
    await Promise.allSettled(this.pending);
    for await (const { key } of this.storage.list()) await this.storage.remove(key);
  }
}
