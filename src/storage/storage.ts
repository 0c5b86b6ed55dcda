import type { Readable } from "node:stream";
import { randomBytes } from "node:crypto";
import { existsSync, readlinkSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { OperatorError } from "../errors.js";
import { ifCode, NOTHING_THERE } from "../lib/error-code.js";
import { isRunning } from "../lib/is-running.js";
import { removeFile } from "../lib/files.js";

export interface StoredFile {
  /** in bytes */
  size: number;
  mtime: Date;
  /** identifies the content (an ETag); only in storages that have one */
  version?: string | undefined;
}

export interface ListedFile extends StoredFile {
  key: string;
}

/** A range of bytes; both ends are included, as in an HTTP Range. */
export interface ByteRange {
  start?: number;
  end?: number;
  /** from `StoredFile`: if the content has changed, reading fails with a StorageUnavailableError */
  version?: string | undefined;
}

/**
 * Stores files by key, a relative path with forward slashes (see keys.ts). Every method with a key throws an
 * InvalidKeyError if it could lead out of the storage. Remote storages throw a StorageUnavailableError if they don't respond
 * in time, and a StorageRefusedError if they refuse the credentials. Temporary files are always on the local disk.
 */
export interface Storage extends AsyncDisposable {
  /** Whether files are transferred over a network: `put` is slow, and better called before a transaction than in it. */
  readonly isRemote: boolean;
  /** Files that are being written, and not in the storage until `put`. */
  readonly temporary: TemporaryFolder;
  /**
   * Stores a temporary file atomically: readers see the whole file or, if the key existed, the previous one, also
   * after a power cut. The temporary file may be moved; its creator removes it in any case.
   */
  put(temporaryPath: string, key: string): Promise<void>;
  /** Removes a file if it exists. */
  remove(key: string): Promise<void>;
  /** Null if the file does not exist. */
  stat(key: string): Promise<StoredFile | null>;
  /** All files, without temporary ones, in a stable order. */
  list(): AsyncIterable<ListedFile>;
  /** Reads a file or a range of it; if it is missing, the stream fails with ENOENT. */
  open(key: string, range?: ByteRange): Readable;
  /** Absolute path of a file on the local disk, whether or not it exists; null for remote storages. */
  localPath(key: string): string | null;
  /** Removes the temporary files of this process. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A key that could lead out of the storage. Keys are built by the program, so this is a bug, not invalid input. */
export class InvalidKeyError extends Error {
  override name = "InvalidKeyError";
}

/** A remote storage is unreachable or overloaded; a retry may succeed later. */
export class StorageUnavailableError extends OperatorError {}

/** A remote storage refuses what it is asked, as after its key was revoked; jobs that need it are parked, for the operator. */
export class StorageRefusedError extends OperatorError {}

/** Folder of the temporary files; no key may be in it. */
export const TEMPORARY_FOLDER = "tmp";

const SEGMENT = /^[A-Za-z0-9._-]+$/;

const isSafeSegment = (segment: string): boolean => SEGMENT.test(segment) && segment !== "." && segment !== "..";

/**
 * Returns the key if it stays within the storage: relative, no `..`, no empty parts, no NUL, not in the temporary folder.
 * @throws InvalidKeyError
 */
export function checkedKey(key: string): string {
  const segments = key.split("/");
  if (segments[0] === TEMPORARY_FOLDER || !segments.every(isSafeSegment)) {
    throw new InvalidKeyError(`not a storage key: ${JSON.stringify(key)}`);
  }
  return key;
}

/** A file that is being written. */
export interface TemporaryFile {
  /** absolute path; the caller creates the file */
  path: string;
  remove(): Promise<void>;
}

/** The folders of this process's open storages. */
const liveFolders = new Set<string>();

/** A day: no upload takes that long, and every new file updates the folder's time. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

const PID_NAMESPACE = "/proc/self/ns/pid";
/** Where pids are unique: this host, and in it this container, which may have the host name of another. */
const HOST = `${hostname()}-${existsSync(PID_NAMESPACE) ? readlinkSync(PID_NAMESPACE).replaceAll(/\D/g, "") : 0}`;

/** `<host>-<pid>-<random>`; the host may contain dashes. */
const FOLDER = /^(?<host>.+)-(?<pid>\d+)-[0-9a-f]+$/;

/** Temporary files on the local disk, in one folder per process. */
export class TemporaryFolder implements AsyncDisposable {
  readonly #folder: string;

  /** @param parent contains the folders of all processes; created with the first file */
  constructor(private readonly parent: string) {
    const name = `${HOST}-${process.pid}-${randomBytes(6).toString("hex")}`;
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

  /** Removes folders of processes that no longer run; what this user may not remove, or is on a read-only disk, stays. @returns their number */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.parent).catch(ifCode(NOTHING_THERE, []))) {
      const entry = path.join(this.parent, name);
      if (!(await isLeftover(entry))) continue;
      removed += await rm(entry, { recursive: true, force: true }).then(
        () => 1,
        () => 0,
      );
    }
    return removed;
  }

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
  const isOurs = host === HOST;
  if (isOurs && (Number(pid) === process.pid || !isRunning(Number(pid)))) return true;
  const found = await stat(entry).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > MAX_AGE_MS;
}
