import type { Readable } from "node:stream";
import type { TemporaryFolder } from "./temporary.js";

export interface StoredFile {
  /** in bytes */
  size: number;
  mtime: Date;
  /** identifies the content (an ETag); only in storages that have one */
  version?: string;
}

export interface ListedFile extends StoredFile {
  key: string;
}

/** A range of bytes; both ends are included, as in an HTTP Range. */
export interface ByteRange {
  start?: number;
  end?: number;
  /** from `StoredFile`: if the content has changed, reading fails with a StorageAwayError */
  version?: string;
}

/**
 * Stores files by key, a relative path with forward slashes (see keys.ts). Every method with a key throws an
 * InvalidKeyError if it could lead out of the storage. Remote storages throw a StorageAwayError if they don't respond
 * in time. Temporary files are always on the local disk.
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
export class StorageAwayError extends Error {
  override name = "StorageAwayError";
}

/** Folder of the temporary files; no key may be in it. */
export const TEMPORARY_FOLDER = "tmp";

// File systems limit names to 255 bytes.
const SEGMENT = /^[A-Za-z0-9._-]{1,255}$/;

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
