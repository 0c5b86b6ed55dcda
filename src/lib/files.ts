/** Files and folders: written as streams, flushed, created, removed and hashed. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { mkdir, open, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, ifCode } from "./error-code.js";

type Step = (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/**
 * Streams into a file, optionally through a transform. On failure it is closed before this throws, so that a caller can remove
 * it: a file that is still being opened would be created afterwards.
 * @param signal aborts it
 * @throws the error of the stream
 */
export async function streamToFile(source: Readable, path: string, step?: Step, signal?: AbortSignal): Promise<void> {
  const file = createWriteStream(path);
  try {
    const options = signal ? { signal } : {};
    await (step ? pipeline(source, step, file, options) : pipeline(source, file, options));
  } catch (error) {
    if (!file.closed) await once(file.destroy(), "close");
    throw error;
  }
}

const DISK_FAULTS = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO"]);

/** Whether it failed because of our disk, such as a full one, and not of where the stream comes from. */
export const isOfDisk = (error: unknown): boolean =>
  DISK_FAULTS.has(codeOf(error)) || (error as NodeJS.ErrnoException).syscall === "open";

export interface Received {
  /** in bytes */
  size: number;
  md5: string;
}

export interface Receiving {
  path: string;
  /** in bytes */
  maxBytes: number;
  tooLarge: () => Error;
  /** called with the size of each chunk; an error that it throws ends the stream */
  onBytes?: ((bytes: number) => void) | undefined;
  signal?: AbortSignal;
}

/** Receives a file from elsewhere. @throws as `streamToFile` */
export async function receiveFile(source: Readable, to: Receiving): Promise<Received> {
  const { path, maxBytes, tooLarge, onBytes, signal } = to;
  const md5 = createHash("md5");
  let size = 0;
  const check: Step = async function* (chunks) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      onBytes?.(chunk.length);
      md5.update(chunk);
      yield chunk;
    }
  };
  await streamToFile(source, path, check, signal);
  return { size, md5: md5.digest("hex") };
}

/** Flushes a file to the disk, or a folder, so that the names in it survive a power cut. @param flags `r+` for a file */
export async function fsync(path: string, flags: "r" | "r+" = "r"): Promise<void> {
  await using handle = await open(path, flags);
  await handle.sync();
}

/** Removes a file if it exists. Unlike `rm`, which first looks it up synchronously, it blocks no other request. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(ifCode(["ENOENT"], undefined));
}

/**
 * Creates a folder and its missing parents, each after its own parent: Node's own `recursive` never ends where the system says that the parent
 * is missing although it is there, as in /proc, and reports other reasons as this one too. Others may create them at the same time.
 * @returns the first of them that was missing; undefined if the folder was there
 * @throws Error of the system
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  const parent = dirname(folder);
  const first = (await isFolder(parent)) ? undefined : await makeFolder(parent);
  try {
    await mkdir(folder);
    return first ?? folder;
  } catch (error) {
    if (await isFolder(folder)) return first;
    throw error;
  }
}

const isFolder = (at: string): Promise<boolean> =>
  stat(at).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** md5 of a file's content, as 32 lower-case hexadecimal digits. */
export async function md5OfFile(path: string): Promise<string> {
  const hash = createHash("md5");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
