/**
 * Ingests a file: receives it into a temporary file, has it inspected and its thumbnails made, and stores it within
 * the transaction that names it. Order matters: a file is stored before the commit that names it, so a row never
 * lacks its file; a crash in between leaves a file without a row, which `storage verify` finds and removes.
 */
import type { Readable } from "node:stream";
import type { SignedIn } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { lockKey, mayRemoveFiles } from "../../database/lock.js";
import { toBoardError } from "../../database/faults.js";
import { BoardError, failure, invalid, overloaded } from "../../errors.js";
import { type ByteLease, BytesInFlight, type Sender, senderOf } from "../../runtime/limits/bytes-in-flight.js";
import { FairSemaphore } from "../../lib/semaphore.js";
import { isOfDisk, type Received, receiveFile } from "../../lib/files.js";
import type { Limiter } from "../../runtime/limits/limiter.js";
import type { Decoded, DecodeRequest, Decoding } from "../../media/decoder/decoder.js";
import { requireLevel } from "../shared/policy.js";
import { DerivedFiles, factsOf } from "./derived-files.js";
import { downloadSource } from "../../sources/fetch.js";
import { originalKey } from "../../storage/keys.js";
import type { FileFacts } from "../../tagging/automatic.js";
import { type Storage, StorageUnavailableError, type TemporaryFile } from "../../storage/storage.js";
import type { ServiceParts } from "../shared/service.js";

/** A received file, not yet inspected. Its owner calls `remove`. */
export interface ReceivedFile extends TemporaryFile, Received {}

/** A received file and those made from it, all still temporary. */
interface ReceivedFiles {
  received: ReceivedFile;
  derived: DerivedFiles;
  /** keys stored by a transaction that may still fail */
  stored: string[];
}

/** A valid file for a post, with its thumbnails. */
export interface PreparedMedia extends ReceivedFiles, Decoded {}

export interface StoredMedia extends FileFacts {
  id: number;
  md5: string;
}

/** Concurrent downloads of this process; as many more may wait. A slow site must not block the whole board, so users take turns. */
const DOWNLOADS_AT_ONCE = 16;
const downloads = new FairSemaphore(DOWNLOADS_AT_ONCE, DOWNLOADS_AT_ONCE);

export interface MediaIngestParts extends ServiceParts {
  storage: Storage;
  decoder: Decoding;
  limiter: Limiter;
}

export class MediaIngest {
  private readonly inFlight: BytesInFlight;

  constructor(private readonly parts: MediaIngestParts) {
    this.inFlight = new BytesInFlight(parts.config);
  }

  /** Bytes of all uploads in progress, from their arrival until their temporary files are removed. */
  get bytesInFlight(): number {
    return this.inFlight.total;
  }

  /**
   * Receives a stream into a temporary file.
   * @param sender absent for files of the administrator
   * @throws BoardError 424 if it is longer than MAX_UPLOAD_BYTES or truncated, 421 and 503 if too many bytes are in
   *   progress
   */
  async spool(stream: Readable, sender?: Sender): Promise<ReceivedFile> {
    stream.on("error", () => undefined); // a stream may fail before it is read; streamToFile reports that
    const { file, lease } = await this.temporary(sender);
    const maxBytes = this.parts.config.MAX_UPLOAD_BYTES;
    const tooLarge = () => failure("body_too_large", { limit: maxBytes });
    try {
      const onBytes = (bytes: number) => lease.take(bytes);
      return { ...file, ...(await receiveFile(stream, { path: file.path, maxBytes, tooLarge, onBytes })) };
    } catch (error) {
      await file.remove();
      throw error instanceof BoardError || isOfDisk(error) ? error : failure("malformed_body", {}, { cause: error });
    }
  }

  /** A temporary file whose bytes are counted until it is removed. */
  private async temporary(sender: Sender | undefined): Promise<{ file: TemporaryFile; lease: ByteLease }> {
    const file = await this.parts.storage.temporary.create();
    const lease = this.inFlight.lease(sender);
    const remove = () => file.remove().finally(() => lease.release());
    return { file: { path: file.path, remove }, lease };
  }

  /**
   * Downloads a source.
   * @param sender absent for files of the administrator
   * @throws BoardError 420 with the reason why it failed, 421 and 503 if too many bytes are in progress, 503 if too many
   *   others are waiting
   */
  async download(url: string, sender?: Sender): Promise<ReceivedFile> {
    const release = await downloads.acquire(`user:${sender?.userId}`, 1).catch(() => {
      throw failure("overloaded");
    });
    try {
      return await this.downloadNow(url, sender);
    } finally {
      release();
    }
  }

  private async downloadNow(url: string, sender: Sender | undefined): Promise<ReceivedFile> {
    const { config } = this.parts;
    const { file, lease } = await this.temporary(sender);
    try {
      const received = await downloadSource(url, {
        path: file.path,
        maxBytes: config.MAX_UPLOAD_BYTES,
        timeoutMs: config.SOURCE_TIMEOUT_MS,
        allowHosts: config.SOURCE_ALLOW_HOSTS,
        onBytes: (bytes) => lease.take(bytes),
      });
      return { ...file, ...received };
    } catch (error) {
      await file.remove();
      throw error;
    }
  }

  /** Downloads a valid file that no post has. @throws BoardError 403 for visitors, 420, 421, 423 */
  async downloadNew(url: string, context: RequestContext): Promise<PreparedMedia> {
    const uploader = requireLevel(context.viewer);
    const received = await this.download(url, senderOf(context));
    try {
      return await this.prepare(received, uploader);
    } catch (error) {
      await received.remove();
      throw error;
    }
  }

  /**
   * Has a file decoded and its thumbnails created.
   * @param uploader null for imports by the administrator
   * @throws BoardError 420 for files that are empty, of no supported type, damaged or too large, 421 if too many of the
   *   uploader's files were refused, 423 for a duplicate, 503 if too many others are waiting to be decoded
   */
  async prepare(received: ReceivedFile, uploader: SignedIn | null): Promise<PreparedMedia> {
    const { storage, database } = this.parts;
    if (received.size === 0) throw invalid("file", "empty_file");
    await refuseDuplicate(database, received.md5);
    const files = { received, derived: await DerivedFiles.make(storage), stored: [] };
    let media: PreparedMedia | undefined;
    try {
      media = { ...files, ...(await this.decode(files, uploader)) };
      if (storage.isRemote) await this.send(media);
      return media;
    } catch (error) {
      await this.discard(media ?? files, isOfStorage(error));
      throw error;
    }
  }

  private decode({ received, derived }: ReceivedFiles, uploader: SignedIn | null): Promise<Decoded> {
    const { decoder, config, limiter } = this.parts;
    const request: DecodeRequest = {
      path: received.path,
      bytes: received.size,
      limits: { maxPixels: config.MAX_PIXELS, maxVideoSeconds: config.MAX_VIDEO_SECONDS },
      to: derived.paths,
      videos: config.VIDEOS,
      owner: uploader ? `user:${uploader.id}` : undefined,
    };
    return uploader ? limiter.uploads.run(uploader, () => decoder.decode(request)) : decoder.decode(request);
  }

  /**
   * Stores the files before any transaction starts, which would hold locks and a connection meanwhile. Until a row names
   * them they may be removed by another upload of the same file, or by `storage verify`, so `store` checks again.
   */
  private async send(media: PreparedMedia): Promise<void> {
    for (const [key, path] of placesOf(media)) {
      media.stored.push(key); // also if the response is lost
      await this.parts.storage.put(path, key);
    }
  }

  /**
   * Removes the temporary files; and the stored ones, unless a row names them. The database decides: a commit may have
   * succeeded although its response was lost, and another upload of the same file may have been
   * faster. If the database is unreachable, the files stay, for `storage verify`.
   * @param isUnavailable whether the storage is unavailable, so that a job removes them
   */
  async discard(media: ReceivedFiles, isUnavailable = false): Promise<void> {
    const { stored, received, derived } = media;
    await Promise.all([received.remove(), derived.remove()]);
    if (stored.length === 0) return;
    const queue = () => queueRemoval(this.parts.database, received.md5, stored);
    if (isUnavailable) return queue();
    await this.removeUnnamed(received.md5, stored).catch((error: unknown) => {
      if (!isOfStorage(error)) throw error;
      return queue();
    });
  }

  /**
   * Removes stored files of this md5 unless a row names them, which is checked under a lock. While a backup
   * runs, which may still have to copy them, or the storage is unreachable, a job does it later.
   * @returns the error of an unreachable storage; otherwise null
   */
  async removeUnnamed(md5: string, keys: readonly string[]): Promise<StorageUnavailableError | null> {
    return this.parts.transact(async (db) => {
      await lockFile(db, md5);
      if (await db.mediaFile.findUnique({ where: { md5 }, select: { id: true } })) return null;
      if (!(await mayRemoveFiles(db))) return queueRemoval(db, md5, keys).then(() => null);
      const removals = await Promise.allSettled(keys.map((key) => this.parts.storage.remove(key)));
      const failed = removals.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
      if (failed?.reason instanceof StorageUnavailableError)
        return queueRemoval(db, md5, keys).then(() => failed.reason as StorageUnavailableError);
      if (failed) throw failed.reason;
      return null;
    });
  }

  /**
   * Whether the file was stored before the transaction or its first attempt, and still exists.
   * @throws BoardError 503 if it was moved into the storage and removed since, as by `storage verify` between two attempts
   */
  private async isStored({ stored }: PreparedMedia, key: string): Promise<boolean> {
    const { storage } = this.parts;
    if (!stored.includes(key)) return false;
    if (await storage.stat(key)) return true;
    if (!storage.isRemote) throw overloaded();
    return false;
  }

  /**
   * Stores the files and names them, within a transaction. Whether it succeeds or not, call `discard` afterwards.
   * @throws BoardError 423 if another upload of the same file was faster
   */
  async store(db: Db, media: PreparedMedia): Promise<StoredMedia> {
    const { received, type, info } = media;
    await lockFile(db, received.md5);
    await refuseDuplicate(db, received.md5);
    for (const [key, path] of placesOf(media)) {
      if (await this.isStored(media, key)) continue;
      media.stored.push(key); // also if it fails with the file in place
      await this.parts.storage.put(path, key);
    }
    return db.mediaFile.create({
      data: {
        md5: received.md5,
        fileExt: type.ext,
        fileSize: received.size,
        ...factsOf(media),
        duration: info.duration,
        frames: info.frames,
        hasSound: info.hasSound,
      },
    });
  }
}

/** Whether the storage is unreachable, or refuses its credentials. */
const isOfStorage = (error: unknown): boolean => toBoardError(error).key === "storage_unavailable";

/** Key and temporary path of each file, the original last. */
function placesOf(media: PreparedMedia): [string, string][] {
  const { received, type, derived } = media;
  const file = { md5: received.md5, fileExt: type.ext };
  return [...derived.places(file, factsOf(media)), [originalKey(file), received.path]];
}

/** Queues a job that removes stored files in a minute as `removeUnnamed` does; it replaces a waiting one for the same files. */
export async function queueRemoval(db: Db, md5: string, keys: readonly string[]): Promise<void> {
  await db.execute(sql`
    SELECT graphile_worker.add_job('remove_files', json_build_object('md5', ${md5}::text, 'keys', ${[...keys]}::text[]),
      run_at => now() + interval '1 minute', job_key => ${keys.join(" ")})`);
}

/** Whether a job will remove a stored file. */
export async function isRemovalQueued(db: Db, key: string): Promise<boolean> {
  const jobs = await db.query<object>(sql`
    SELECT 1 FROM graphile_worker.jobs
     WHERE task_identifier = 'remove_files' AND ${key} = ANY(string_to_array(key, ' ')) AND attempts < max_attempts`);
  return jobs.length > 0;
}

/** Locks out all other changes of this file until the transaction ends. */
export const lockFile = (db: Db, md5: string): Promise<number> =>
  lockKey(db, "file", sql`('x' || left(${md5}, 8))::bit(32)`);

/**
 * Each file is on the board once. The error names the post that has it (or had it, before its file was replaced).
 * @throws BoardError 423 with `post_id` and `location`
 */
async function refuseDuplicate(db: Db, md5: string): Promise<void> {
  const found = await findByMd5(db, md5);
  if (!found) return;
  const { postId } = found;
  throw failure("duplicate", {}, { extra: postId === null ? {} : { post_id: postId, location: `/posts/${postId}` } });
}

/** Whether the board has a file, and the post that has it, or had it before its file was replaced. */
export async function findByMd5(db: Db, md5: string): Promise<{ postId: number | null } | null> {
  const [found] = await db.query<{ postId: number | null }>(sql`
    SELECT COALESCE((SELECT p.id FROM posts p WHERE p.media_file_id = m.id),
                    (SELECT min(v.post_id) FROM post_versions v WHERE v.media_file_id = m.id)) AS "postId"
      FROM media_files m WHERE m.md5 = ${md5}`);
  return found ?? null;
}
