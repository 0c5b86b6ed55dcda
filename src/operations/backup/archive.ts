/**
 * The file format of backups: a plain tar archive, readable with standard tools. Its last entry, `end.json`, contains
 * the SHA-256 of all bytes before it. A file without that entry is truncated; with another checksum, damaged.
 */
import { createHash, type Hash } from "node:crypto";
import { rmSync } from "node:fs";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { Header } from "tar";
import { OperatorError } from "../../errors.js";
import { codeOf } from "../../lib/error-code.js";
import { fsync } from "../../lib/files.js";

const BLOCK = 512;
const END = "end.json";
const READ_BYTES = 256 * 1024;

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** Writes the archive to `<file>.part`, and renames it when it is complete. Of a symbolic link, the file is the one that it leads to. */
export class ArchiveWriter {
  private readonly hash: Hash = createHash("sha256");
  /** written bytes */
  size = 0;
  private readonly removePart = (): void => rmSync(`${this.file}.part`, { force: true });

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
  ) {
    process.once("exit", this.removePart); // as by Ctrl-C: it may be as large as the disk
  }

  /** Creates the file with mode 600, because it contains password hashes. @throws OperatorError if its folder does not exist, or it is one itself, or a device */
  static async create(name: string): Promise<ArchiveWriter> {
    const found = await stat(name).catch(() => null);
    if (found?.isDirectory()) throw new OperatorError(`${name} is a folder; name a file in it.`);
    if (found && !found.isFile()) throw new OperatorError(`${name} is not a regular file; name another.`);
    const file = await realpath(name).catch(() => name);
    const part = `${file}.part`;
    await rm(part, { force: true }); // left by a killed process
    const handle = await open(part, "wx", 0o600).catch(orMissing("There is no folder for", file));
    return new ArchiveWriter(file, handle);
  }

  async add(name: string, content: Uint8Array): Promise<void> {
    await this.addStream(name, content.length, [content]);
  }

  /** @param size in bytes @throws OperatorError if the stream has another size */
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
    if (written !== size) throw new OperatorError(`${name} changed while it was copied.`);
    await this.write(Buffer.alloc(padding(size)));
  }

  /** Completes the archive, and replaces an older file. */
  async finish(): Promise<void> {
    const end = { bytes: this.size, sha256: this.hash.copy().digest("hex") };
    await this.add(END, Buffer.from(`${JSON.stringify(end)}\n`));
    await this.write(Buffer.alloc(2 * BLOCK));
    await this.handle.sync();
    await this.handle.close();
    await rename(`${this.file}.part`, this.file);
    process.off("exit", this.removePart);
    await fsync(path.dirname(this.file));
  }

  /** Removes the incomplete file. */
  async discard(): Promise<void> {
    await this.handle.close();
    this.removePart();
    process.off("exit", this.removePart);
  }

  private async write(bytes: Uint8Array): Promise<void> {
    this.hash.update(bytes);
    this.size += bytes.length;
    for (let done = 0; done < bytes.length;) done += (await this.handle.write(bytes, done)).bytesWritten;
  }
}

const orMissing = (what: string, file: string) => (error: unknown) => {
  if (codeOf(error) === "ENOENT") throw new OperatorError(`${what} ${file}.`);
  throw error;
};

function headerOf(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const header = new Header({ path: name, mode: 0o600, size, type: "File", mtime: new Date(), uid: 0, gid: 0 });
  if (header.encode(block)) throw new OperatorError(`The name ${name} is too long for the archive.`);
  return block;
}

/** An entry of the archive. Its content must be read before the next entry is requested. */
export interface ArchiveEntry {
  name: string;
  /** bytes */
  size: number;
  stream(): Readable;
  /** the whole content; for small entries */
  read(): Promise<Buffer>;
}

export class ArchiveReader implements AsyncDisposable {
  private readonly hash: Hash = createHash("sha256");
  /** the current position in bytes */
  position = 0;

  private constructor(
    private readonly handle: FileHandle,
    /** size of the file in bytes; 0 for a pipe */
    readonly size: number,
  ) {}

  /** @throws OperatorError if the file does not exist, or is a folder */
  static async open(file: string): Promise<ArchiveReader> {
    const found = await stat(file).catch(orMissing("There is no file", file));
    if (found.isDirectory()) throw new OperatorError(`${file} is a folder, not a backup.`);
    return new ArchiveReader(await open(file, "r"), found.size);
  }

  /**
   * All entries in order, except `end.json`, with which they are verified.
   * @throws OperatorError if the file is truncated or damaged, at the latest after the last entry
   */
  async *entries(): AsyncGenerator<ArchiveEntry> {
    for (;;) {
      const sum = { bytes: this.position, sha256: this.hash.copy().digest("hex") };
      const { name, size } = decode(await this.take(BLOCK));
      if (name === END) return this.end(size, sum);
      const end = this.position + size + padding(size);
      const stream = () => Readable.from(this.content(size));
      const read = async () => Buffer.concat((await stream().toArray()) as Buffer[]);
      yield { name, size, stream, read };
      if (this.position !== end) throw new Error(`${name} was not read`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.handle.close();
  }

  private async *content(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      const chunk = await this.take(Math.min(left, READ_BYTES));
      left -= chunk.length;
      yield chunk;
    }
    await this.take(padding(size));
  }

  /** Verifies the checksum, and that only the padding follows. */
  private async end(size: number, sum: { bytes: number; sha256: string }): Promise<void> {
    const content = await this.take(Math.min(size, BLOCK));
    if (content.toString() !== `${JSON.stringify(sum)}\n`) throw new OperatorError(DAMAGED);
    const rest = await this.take(padding(size) + 2 * BLOCK);
    const { bytesRead: more } = await this.handle.read(Buffer.alloc(1));
    if (rest.some((byte) => byte !== 0) || more > 0) throw new OperatorError(DAMAGED);
  }

  private async take(size: number): Promise<Buffer> {
    const buffer = Buffer.alloc(size);
    for (let done = 0; done < size;) {
      const { bytesRead } = await this.handle.read(buffer, done, size - done);
      if (bytesRead === 0) throw new OperatorError(this.position === 0 ? DAMAGED : TRUNCATED);
      done += bytesRead;
    }
    this.position += size;
    this.hash.update(buffer);
    return buffer;
  }
}

const TRUNCATED = "The backup is truncated; nothing was restored.";

/** The message for files that `board backup` can't have written. */
export const DAMAGED = "The file is damaged or not a backup; nothing was restored.";

function decode(block: Buffer): { name: string; size: number } {
  const { cksumValid, path: name, size } = headerIn(block);
  if (!cksumValid || name === undefined || size === undefined) throw new OperatorError(DAMAGED);
  return { name, size };
}

function headerIn(block: Buffer): Header {
  try {
    return new Header(block);
  } catch (cause) {
    throw new OperatorError(DAMAGED, { cause }); // not even numbers, as in a compressed file
  }
}
