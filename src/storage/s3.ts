import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { pipeline, type Readable, Readable as ReadableStream, Transform } from "node:stream";
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
import { md5OfFile } from "../lib/files.js";
import { contentType } from "./keys.js";
import { ATTEMPTS, connectS3, isMissing, isWorthRetrying, IdleTimeout, statusOf, toStorageError } from "./s3-client.js";
import {
  type ByteRange,
  checkedKey,
  type ListedFile,
  type Storage,
  StorageUnavailableError,
  type StoredFile,
  TEMPORARY_FOLDER,
  TemporaryFolder,
} from "./storage.js";

/** A year: the content of a key never changes. */
const CACHE_CONTROL = "public, max-age=31536000, immutable";

/** Base of the exponential delay between attempts to put a file, in milliseconds. */
const RETRY_DELAY_MS = 100;

/**
 * Files as objects in a bucket of an S3-compatible store. Each is written by one request, and thus atomically. Loaded only if STORAGE
 * is s3: the SDK needs much memory.
 */
export class S3Storage implements Storage {
  readonly isRemote = true;
  readonly temporary: TemporaryFolder;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #timeout: number;

  constructor(config: Config) {
    this.#client = connectS3(config);
    this.#bucket = config.S3_BUCKET ?? "";
    this.#prefix = config.S3_PREFIX === undefined ? "" : `${config.S3_PREFIX}/`;
    this.#timeout = config.S3_TIMEOUT_MS;
    this.temporary = new TemporaryFolder(path.join(config.mediaDir, TEMPORARY_FOLDER));
  }

  /**
   * Checks that the bucket exists and can be accessed.
   * @throws ConfigError if not, StorageUnavailableError if the store does not respond
   */
  async check(): Promise<void> {
    await this.#request((options) => this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), options)).catch(
      (error: unknown) => {
        throw wrongSetting((error as Error).cause ?? error, this.#bucket) ?? error;
      },
    );
  }

  async put(temporaryPath: string, key: string): Promise<void> {
    const object = this.#objectOf(key);
    const [{ size }, md5] = await Promise.all([stat(temporaryPath), md5OfFile(temporaryPath)]);
    const request = {
      ...object,
      ...headersOf(key),
      ContentLength: size,
      ContentMD5: Buffer.from(md5, "hex").toString("base64"),
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#upload(temporaryPath, request);
      } catch (error) {
        if (isMissing(error)) throw noStore(error);
        if (attempt >= ATTEMPTS || !isWorthRetrying(error)) throw toStorageError(error);
        await sleep(RETRY_DELAY_MS * 2 ** attempt);
      }
    }
  }

  async remove(key: string): Promise<void> {
    const object = this.#objectOf(key);
    try {
      await this.#request((options) => this.#client.send(new DeleteObjectCommand(object), options));
    } catch (error) {
      if (!isMissing(error)) throw error; // most stores respond with 204 then, some don't
    }
  }

  async stat(key: string): Promise<StoredFile | null> {
    const object = this.#objectOf(key);
    try {
      const found = await this.#request((options) => this.#client.send(new HeadObjectCommand(object), options));
      return {
        size: found.ContentLength ?? 0,
        mtime: found.LastModified ?? new Date(0),
        version: found.ETag,
      };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async *list(): AsyncIterable<ListedFile> {
    for (let from: string | undefined; ;) {
      const page = { Bucket: this.#bucket, Prefix: this.#prefix, ContinuationToken: from };
      const found = await this.#request((options) => this.#client.send(new ListObjectsV2Command(page), options));
      for (const { Key = "", Size = 0, LastModified = new Date(0), ETag } of found.Contents ?? []) {
        if (Key.endsWith("/")) continue; // no file, but a folder as consoles make them
        yield { key: Key.slice(this.#prefix.length), size: Size, mtime: LastModified, version: ETag };
      }
      from = found.NextContinuationToken;
      if (from === undefined) return;
    }
  }

  open(key: string, range: ByteRange = {}): Readable {
    const timeout = new IdleTimeout(this.#timeout);
    timeout.pause(); // until the first read
    const stream = ReadableStream.from(this.#read(this.#objectOf(key), range, timeout), { objectMode: false });
    return stream.once("close", () => timeout.abort());
  }

  localPath(key: string): null {
    checkedKey(key);
    return null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.destroy();
    await this.temporary[Symbol.asyncDispose]();
  }

  #objectOf(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + checkedKey(key) };
  }

  /** Sends a request whose response has no body, or a short one. @throws StorageUnavailableError, StorageRefusedError */
  async #request<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    using timeout = new IdleTimeout(this.#timeout);
    try {
      return await send({ abortSignal: timeout.signal });
    } catch (error) {
      throw toStorageError(error);
    }
  }

  /** One attempt. The timeout is reset by every chunk that is sent; the upload as a whole can take any time. */
  async #upload(file: string, request: ConstructorParameters<typeof PutObjectCommand>[0]): Promise<void> {
    using timeout = new IdleTimeout(this.#timeout);
    const body = new Transform({
      transform(chunk: Buffer, _, done) {
        timeout.reset();
        done(null, chunk);
      },
    });
    // without the abort, a file that can't be read would leave the request open
    pipeline(createReadStream(file), body, (error) => error && timeout.abort());
    try {
      const put = new PutObjectCommand({ ...request, Body: body });
      const { ETag } = await this.#client.send(put, { abortSignal: timeout.signal });
      if (!ETag) throw noStore();
    } finally {
      body.destroy();
    }
  }

  /**
   * The chunks of a file. If the connection breaks off, the rest is requested, since a backup takes hours. The timeout is for the store only: it is
   * paused while the consumer handles a chunk.
   */
  async *#read(
    object: { Bucket: string; Key: string },
    { start = 0, end, version }: ByteRange,
    timeout: IdleTimeout,
  ): AsyncGenerator<Buffer> {
    for (let [from, ofVersion, attempt] = [start, version, 1]; ; attempt += 1) {
      let body: Readable | undefined;
      timeout.reset();
      try {
        const request = { ...object, Range: rangeOf(from, end), IfMatch: ofVersion };
        const found = await this.#client.send(new GetObjectCommand(request), { abortSignal: timeout.signal });
        ofVersion ??= found.ETag;
        body = found.Body as Readable;
        if (from > start && !found.ContentRange?.startsWith(`bytes ${from}-`))
          throw new StorageUnavailableError("the response is not the rest of the file");
        for await (const chunk of body as AsyncIterable<Buffer>) {
          timeout.pause();
          yield chunk;
          [from, attempt] = [from + chunk.length, 1];
          timeout.reset();
        }
        return;
      } catch (error) {
        if (isMissing(error))
          throw Object.assign(new Error(`ENOENT: no such object, ${object.Key}`), { code: "ENOENT" });
        if (from === start || attempt >= ATTEMPTS || !isWorthRetrying(error)) throw toStorageError(error);
      } finally {
        timeout.pause();
        body?.destroy();
      }
    }
  }
}

/** Headers with which the bucket serves a file: a type that browsers don't execute, and immutable caching. */
function headersOf(key: string) {
  const type = contentType(key.slice(key.lastIndexOf(".") + 1));
  const isPicture = /^(image|video)\//.test(type);
  const headers = { ContentType: type, CacheControl: CACHE_CONTROL };
  return isPicture ? headers : { ...headers, ContentDisposition: "attachment" };
}

const rangeOf = (start: number, end?: number): string | undefined =>
  start === 0 && end === undefined ? undefined : `bytes=${start}-${end ?? ""}`;

const noStore = (cause?: unknown): Error =>
  new StorageUnavailableError("the response to a file is no store's, but perhaps a proxy's", { cause });

/** The setting that causes an error of the store; null for other errors. */
function wrongSetting(error: unknown, bucket: string): ConfigError | null {
  const { name } = error as Error;
  if (name.startsWith("Credentials"))
    return new ConfigError(["S3_ACCESS_KEY_ID: there are no credentials, neither here nor in AWS's default chain"]);
  const status = statusOf(error);
  if (status === 404) return new ConfigError([`S3_BUCKET: the store has no bucket ${bucket}`]);
  if (status === 301 || status === 400)
    return new ConfigError([`S3_REGION: the bucket ${bucket} is not in this region, or its name is invalid (${name})`]);
  if (status === 401 || status === 403)
    return new ConfigError([`S3_ACCESS_KEY_ID: these credentials have no access to the bucket ${bucket}`]);
  return null;
}
