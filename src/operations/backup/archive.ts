/**
 * The file of a backup: a plain tar archive, so that whatever unpacks tar can look into it. Its last entry, `end.json`, has
 * the SHA-256 of all bytes before it. A file without that entry is cut off; one with another sum was damaged.
 */
import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { Header } from "tar";

/** A backup that can't be made, or a file that can't be restored; says why. */
export class BackupError extends Error {
  override name = "BackupError";
}

const BLOCK = 512;
const END = "end.json";
const READ = 256 * 1024;

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** Writes the archive beside its destination, and renames it when it is complete. */
export class ArchiveWriter {
  private readonly hash: Hash = createHash("sha256");
  /** bytes so far */
  size = 0;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
  ) {}

  /** Readable by its owner alone: it holds what passwords are compared with. @throws BackupError without the folder */
  static async create(file: string): Promise<ArchiveWriter> {
    const part = `${file}.part`;
    await rm(part, { force: true }); // of a backup that was killed
    const handle = await open(part, "wx", 0o600).catch(orMissing("There is no folder for", file));
    return new ArchiveWriter(file, handle);
  }

  async add(name: string, content: Uint8Array): Promise<void> {
    await this.addStream(name, content.length, [content]);
  }

  /** @throws BackupError when the stream is not of this size, in bytes */
  async addStream(
    name: string,
    size: number,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    await this.write(headerOf(name, size));
    let written = 0;
    for await (const chunk of content) {
      written += chunk.length;
      await this.write(chunk);
    }
    if (written !== size) throw new BackupError(`${name} changed while it was copied.`);
    await this.write(Buffer.alloc(padding(size)));
  }

  /** Ends the archive and puts it in its place, in place of an older one. */
  async finish(): Promise<void> {
    const end = { bytes: this.size, sha256: this.hash.copy().digest("hex") };
    await this.add(END, Buffer.from(`${JSON.stringify(end)}\n`));
    await this.write(Buffer.alloc(2 * BLOCK));
    await this.handle.sync();
    await this.handle.close();
    await rename(`${this.file}.part`, this.file);
    await synchronise(path.dirname(this.file));
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.handle.close();
    await rm(`${this.file}.part`, { force: true });
  }

  private async write(bytes: Uint8Array): Promise<void> {
    this.hash.update(bytes);
    this.size += bytes.length;
    for (let done = 0; done < bytes.length;) done += (await this.handle.write(bytes, done)).bytesWritten;
  }
}

/** So that the new name outlives a power cut, too. */
async function synchronise(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const orMissing = (what: string, file: string) => (error: unknown) => {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new BackupError(`${what} ${file}.`);
  throw error;
};

function headerOf(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const header = new Header({ path: name, mode: 0o600, size, type: "File", mtime: new Date(), uid: 0, gid: 0 });
  if (header.encode(block)) throw new BackupError(`${name} is too long a name for the archive.`);
  return block;
}

/** A file within the archive. Its content is read before the next entry is asked for. */
export interface ArchiveEntry {
  name: string;
  /** bytes */
  size: number;
  stream(): Readable;
  /** the whole content, of entries that are known to be small */
  read(): Promise<Buffer>;
}

export class ArchiveReader implements AsyncDisposable {
  private readonly hash: Hash = createHash("sha256");
  private position = 0;

  private constructor(
    private readonly handle: FileHandle,
    /** bytes of the whole file */
    readonly size: number,
  ) {}

  /** @throws BackupError when there is no such file */
  static async open(file: string): Promise<ArchiveReader> {
    const handle = await open(file, "r").catch(orMissing("There is no file", file));
    return new ArchiveReader(handle, (await handle.stat()).size);
  }

  /** Where reading has got to, in bytes. */
  get done(): number {
    return this.position;
  }

  /**
   * All entries in their order, but for the last one, with which they are compared.
   * @throws BackupError when the file is cut off or damaged, at the latest after the last entry
   */
  async *entries(): AsyncGenerator<ArchiveEntry> {
    for (;;) {
      const sum = { bytes: this.position, sha256: this.hash.copy().digest("hex") };
      const { name, size } = decode(await this.take(BLOCK));
      const end = this.position + size + padding(size);
      const stream = () => Readable.from(this.content(size));
      const read = async () => Buffer.concat((await stream().toArray()) as Buffer[]);
      if (name === END) return this.end(await read(), end, sum);
      yield { name, size, stream, read };
      if (this.position !== end) throw new Error(`${name} was not read`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.handle.close();
  }

  private async *content(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      const chunk = await this.take(Math.min(left, READ));
      left -= chunk.length;
      yield chunk;
    }
    await this.take(padding(size));
  }

  /** Nothing but zeros may follow, as many as belong there. */
  private async end(content: Buffer, position: number, sum: { bytes: number; sha256: string }): Promise<void> {
    if (content.toString() !== `${JSON.stringify(sum)}\n`) throw new BackupError(DAMAGED);
    this.position = position - padding(content.length);
    const rest = await this.take(padding(content.length) + 2 * BLOCK);
    if (rest.some((byte) => byte !== 0) || this.position !== this.size) throw new BackupError(DAMAGED);
  }

  private async take(size: number): Promise<Buffer> {
    const buffer = Buffer.alloc(size);
    for (let done = 0; done < size;) {
      const { bytesRead } = await this.handle.read(buffer, done, size - done, this.position + done);
      if (bytesRead === 0) throw new BackupError("The backup is cut off; nothing was restored.");
      done += bytesRead;
    }
    this.position += size;
    this.hash.update(buffer);
    return buffer;
  }
}

/** Said of whatever could not have been written by `board backup`. */
export const DAMAGED = "The backup is damaged, or no backup; nothing was restored.";

function decode(block: Buffer): { name: string; size: number } {
  const header = new Header(block);
  if (!header.cksumValid || header.path === undefined || header.size === undefined) throw new BackupError(DAMAGED);
  return { name: header.path, size: header.size };
}
