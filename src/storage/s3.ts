import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { pipeline, type Readable, Readable as ReadableStream, Transform } from "node:stream";
import { pipeline as pipelined } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { type Config, ConfigError } from "../config.js";
import { contentType } from "./keys.js";
import { ATTEMPTS, connectS3, isMissing, isWorthRetrying, Patience, statusOf, toStorageError } from "./s3-client.js";
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

/** A year, in seconds: what lies under a key is never another picture. */
const CACHE_CONTROL = "public, max-age=31536000, immutable";

/** Between the tries of putting a file, in milliseconds; twice as long each time. */
const PAUSE_MS = 100;

/**
 * Files as objects in a bucket of an S3-compatible store, each written by one request, so that it is there whole or not at
 * all. Loaded only where STORAGE says so: boards on disk don't pay for the SDK's memory.
 */
export class S3Storage implements Storage {
  readonly isRemote = true;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #patience: number;
  readonly #temporary: TemporaryFolder;

  constructor(config: Config) {
    this.#client = connectS3(config);
    this.#bucket = config.S3_BUCKET ?? "";
    this.#prefix = config.S3_PREFIX === undefined ? "" : `${config.S3_PREFIX}/`;
    this.#patience = config.S3_TIMEOUT_MS;
    this.#temporary = new TemporaryFolder(path.join(config.mediaDir, TEMPORARY_FOLDER));
  }

  /**
   * Looks whether the bucket is there for this board.
   * @throws ConfigError if it is not, StorageAwayError if the store does not respond
   */
  async check(): Promise<void> {
    await this.#answer((options) => this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), options)).catch(
      (error: unknown) => {
        throw wrongSetting(error, this.#bucket) ?? error;
      },
    );
  }

  createTemporary(ext?: string): Promise<TemporaryFile> {
    return this.#temporary.create(ext);
  }

  async put(temporaryPath: string, key: string): Promise<void> {
    const object = this.#objectOf(key);
    const [{ size }, md5] = await Promise.all([stat(temporaryPath), md5Of(temporaryPath)]);
    const request = { ...object, ...headersOf(key), ContentLength: size, ContentMD5: md5 };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#upload(temporaryPath, request);
      } catch (error) {
        if (attempt >= ATTEMPTS || !isWorthRetrying(error)) throw toStorageError(error);
        await sleep(PAUSE_MS * 2 ** attempt);
      }
    }
  }

  async remove(key: string): Promise<void> {
    const object = this.#objectOf(key);
    await this.#answer((options) => this.#client.send(new DeleteObjectCommand(object), options));
  }

  async exists(key: string): Promise<boolean> {
    return (await this.stat(key)) !== null;
  }

  async stat(key: string): Promise<StoredFile | null> {
    const object = this.#objectOf(key);
    try {
      const found = await this.#answer((options) => this.#client.send(new HeadObjectCommand(object), options));
      return {
        size: found.ContentLength ?? 0,
        mtime: found.LastModified ?? new Date(0),
        ...(found.ETag === undefined ? {} : { version: found.ETag }),
      };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async *list(prefix = ""): AsyncIterable<ListedFile> {
    folderOf(prefix);
    for (let from: string | undefined; ;) {
      const page = { Bucket: this.#bucket, Prefix: this.#prefix + prefix, ContinuationToken: from };
      const found = await this.#answer((options) => this.#client.send(new ListObjectsV2Command(page), options));
      for (const { Key = "", Size = 0, LastModified = new Date(0), ETag } of found.Contents ?? []) {
        const file = { key: Key.slice(this.#prefix.length), size: Size, mtime: LastModified };
        yield ETag === undefined ? file : { ...file, version: ETag };
      }
      from = found.NextContinuationToken;
      if (from === undefined) return;
    }
  }

  open(key: string, range: ByteRange = {}): Readable {
    const patience = new Patience(this.#patience);
    patience.rest(); // until it is read
    const request = { ...this.#objectOf(key), Range: rangeOf(range), IfMatch: range.version };
    const stream = ReadableStream.from(this.#read(new GetObjectCommand(request), patience), { objectMode: false });
    return stream.once("close", () => patience.end());
  }

  localPath(key: string): null {
    checkedKey(key);
    return null;
  }

  sweepTemporary(): Promise<number> {
    return this.#temporary.sweep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.destroy();
    await this.#temporary[Symbol.asyncDispose]();
  }

  #objectOf(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + checkedKey(key) };
  }

  /** Waits for an answer without a body, or with a short one. @throws StorageAwayError */
  async #answer<T>(ask: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    using patience = new Patience(this.#patience);
    try {
      return await ask({ abortSignal: patience.signal });
    } catch (error) {
      throw toStorageError(error);
    }
  }

  /** One try. The store has to take something, or to answer, again and again, however long the whole takes. */
  async #upload(file: string, request: ConstructorParameters<typeof PutObjectCommand>[0]): Promise<void> {
    using patience = new Patience(this.#patience);
    const body = new Transform({
      transform(chunk: Buffer, _, done) {
        patience.heard();
        done(null, chunk);
      },
    });
    // a file that can't be read leaves a request without its end
    pipeline(createReadStream(file), body, (error) => error && patience.end());
    try {
      await this.#client.send(new PutObjectCommand({ ...request, Body: body }), { abortSignal: patience.signal });
    } finally {
      body.destroy();
    }
  }

  /** The bytes, in which it is the store alone that may not be slow: what takes them may take its time. */
  async *#read(command: GetObjectCommand, patience: Patience): AsyncGenerator<Buffer> {
    let body: Readable | undefined;
    patience.heard();
    try {
      const { Body } = await this.#client.send(command, { abortSignal: patience.signal });
      body = Body as Readable;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        patience.rest();
        yield chunk;
        patience.heard();
      }
    } catch (error) {
      throw isMissing(error) ? noSuchFile(command.input.Key) : toStorageError(error);
    } finally {
      patience.rest();
      body?.destroy();
    }
  }
}

/** Headers that the bucket serves with a file: a type that no browser runs, and immutable caching. */
function headersOf(key: string) {
  const type = contentType(key.slice(key.lastIndexOf(".") + 1));
  const isPicture = /^(image|video)\//.test(type);
  const headers = { ContentType: type, CacheControl: CACHE_CONTROL };
  return isPicture ? headers : { ...headers, ContentDisposition: "attachment" };
}

const rangeOf = ({ start, end }: ByteRange): string | undefined =>
  start === undefined && end === undefined ? undefined : `bytes=${start ?? 0}-${end ?? ""}`;

const noSuchFile = (key = ""): Error => Object.assign(new Error(`ENOENT: no such object, ${key}`), { code: "ENOENT" });

/** As Content-MD5 has it, in base64. */
async function md5Of(file: string): Promise<string> {
  const hash = createHash("md5");
  await pipelined(createReadStream(file), hash);
  return hash.digest("base64");
}

/** Which setting an answer of the store speaks against; null for other errors. */
function wrongSetting(error: unknown, bucket: string): ConfigError | null {
  const { name } = error as Error;
  if (name.startsWith("Credentials"))
    return new ConfigError(["S3_ACCESS_KEY_ID: there are no credentials, here or where AWS' own tools have them"]);
  const status = statusOf(error);
  if (status === 404) return new ConfigError([`S3_BUCKET: the store has no bucket ${bucket}`]);
  if (status === 301 || status === 400)
    return new ConfigError([`S3_REGION: the bucket ${bucket} is not in this region, or no such name (${name})`]);
  if (status === 401 || status === 403)
    return new ConfigError([`S3_ACCESS_KEY_ID: the store does not let these credentials into the bucket ${bucket}`]);
  return null;
}
