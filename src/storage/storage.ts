import type { Readable } from "node:stream";

/** A file that is still being written; it is invisible to others until it is put into the storage. */
export interface TemporaryFile {
  /** absolute path; no file is there before the caller writes one */
  path: string;
  /** Removes the file, if it is still there. */
  remove(): Promise<void>;
}

/** What is known of a stored file. */
export interface StoredFile {
  /** in bytes */
  size: number;
  mtime: Date;
  /** what the storage calls this content, of storages that have such a name; another content has another */
  version?: string;
}

export interface ListedFile extends StoredFile {
  key: string;
}

/** Part of a file, in bytes from its beginning; both ends are included, as in an HTTP Range. */
export interface ByteRange {
  start?: number;
  end?: number;
  /** the content that is meant, by `StoredFile`; another one is refused where the storage knows versions */
  version?: string;
}

/**
 * Where files live. A key is a relative path with forward slashes (see keys.ts). Every method that takes a key throws an
 * InvalidKeyError when it could lead out of the storage. A storage that is elsewhere throws a StorageAwayError when it does
 * not answer, after a bounded time. Temporary files are on this machine's disk, wherever the storage is.
 */
export interface Storage extends AsyncDisposable {
  /** Whether putting a file takes as long as its way over a network, and is nothing to be done while others wait. */
  readonly isRemote: boolean;
  /** A place for a new file, with the extension `ext` (with or without its dot) if given. */
  createTemporary(ext?: string): Promise<TemporaryFile>;
  /**
   * Puts a temporary file into place. Readers see the whole file or, if there was one of that key, its predecessor, also
   * after a power cut. The temporary file may be gone afterwards; its creator removes it in any case.
   */
  put(temporaryPath: string, key: string): Promise<void>;
  /** Removes a file; nothing happens when there is none. */
  remove(key: string): Promise<void>;
  exists(key: string): Promise<boolean>;
  stat(key: string): Promise<StoredFile | null>;
  /** All files whose key begins with the prefix, without the temporary ones, in a stable order. */
  list(prefix?: string): AsyncIterable<ListedFile>;
  /** Reads a file or a part of it; a missing file is an ENOENT error of the stream. */
  open(key: string, range?: ByteRange): Readable;
  /** Absolute path of a file on the local disk, or null when the storage is elsewhere. The file need not exist. */
  localPath(key: string): string | null;
  /** Removes what died processes left behind, and answers how many leftovers there were. */
  sweepTemporary(): Promise<number>;
  /** Removes the temporary files of this process. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A key that could lead out of the storage. Keys are made by the program, so this is a fault and no user's mistake. */
export class InvalidKeyError extends Error {
  override name = "InvalidKeyError";
}

/** A storage elsewhere that does not answer, or says that it can't answer now: it may later. */
export class StorageAwayError extends Error {
  override name = "StorageAwayError";
}

/** Folder of the temporary files, in which no key may lie. */
export const TEMPORARY_FOLDER = "tmp";

// The file systems' own limit for one name is 255 bytes.
const SEGMENT = /^[A-Za-z0-9._-]{1,255}$/;

const isSafeSegment = (segment: string): boolean => SEGMENT.test(segment) && segment !== "." && segment !== "..";

/**
 * Answers the key if it stays within the storage: relative, no `..`, no empty parts, no NUL, not among temporary files.
 * @throws InvalidKeyError
 */
export function checkedKey(key: string): string {
  const segments = key.split("/");
  if (segments[0] === TEMPORARY_FOLDER || !segments.every(isSafeSegment)) {
    throw new InvalidKeyError(`not a storage key: ${JSON.stringify(key)}`);
  }
  return key;
}

/** The folder that everything with this prefix is in, or the empty string. @throws InvalidKeyError when it leads out */
export function folderOf(prefix: string): string {
  const end = prefix.lastIndexOf("/");
  return end < 0 ? "" : checkedKey(prefix.slice(0, end));
}
