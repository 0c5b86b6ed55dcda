/**
 * The way of a file into the board: spooled to a temporary file, looked at, its thumbnails made, and put in place inside
 * the transaction that makes it known. Order matters: a file is in place before the commit that names it, so a row never
 * lacks its file; a crash in between leaves a file without a row, which `storage verify` finds and removes.
 */
import type { Readable } from "node:stream";
import { stat } from "node:fs/promises";
import type { SignedIn } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { mayRemoveFiles } from "../../database/held-files.js";
import { BoardError, failure, invalid } from "../../errors.js";
import { type ByteLease, BytesInFlight, type Sender, senderOf } from "../../runtime/limits/bytes-in-flight.js";
import { Semaphore } from "../../lib/semaphore.js";
import { streamToFile } from "../../lib/stream-to-file.js";
import type { Limiter } from "../../runtime/limits/limiter.js";
import type { Decoded, DecodeRequest, Decoding } from "../../media/decoder/decoder.js";
import { md5OfFile, Md5Counter } from "../../lib/hash.js";
import { requireLevel } from "../shared/policy.js";
import { DerivedFiles, factsOf } from "./derived-files.js";
import { downloadSource } from "../../sources/fetch.js";
import { originalKey } from "../../storage/keys.js";
import { type Storage, StorageAwayError, type TemporaryFile } from "../../storage/storage.js";
import type { ServiceParts } from "../shared/service.js";

/** A received file, not yet inspected. Its owner calls `remove`. */
export interface Spooled {
  path: string;
  /** bytes */
  size: number;
  md5: string;
  remove(): Promise<void>;
}

/** A received file and those made from it, all still temporary. */
interface ReceivedFiles {
  spooled: Spooled;
  derived: DerivedFiles;
  /** keys put into the storage by a transaction that may yet fail */
  stored: string[];
}

/** A file that is fit to become a post's, with its thumbnails. */
export interface PreparedMedia extends ReceivedFiles, Decoded {}

export interface StoredMedia {
  id: number;
  md5: string;
  fileExt: string;
  fileSize: number;
  imageWidth: number;
  imageHeight: number;
  frames: number;
  hasSound: boolean;
}

/** How the board introduces itself to the sites that sources are downloaded from. */
const USER_AGENT = "Graphbooru/0.1 (image board; downloads what a user named as source)";

/** Downloads of this process at a time; as many more wait. A site that answers slowly is not to hold the whole board. */
const DOWNLOADS_AT_ONCE = 16;
const downloads = new Semaphore(DOWNLOADS_AT_ONCE);

/** First key of the advisory locks on files; the second is taken from the md5. */
const FILE_LOCK = 7_302;

export interface MediaIntakeParts extends ServiceParts {
  storage: Storage;
  decoder: Decoding;
  limiter: Limiter;
}

export class MediaIntake {
  private readonly inFlight: BytesInFlight;

  constructor(private readonly parts: MediaIntakeParts) {
    this.inFlight = new BytesInFlight(parts.config);
  }

  /** Bytes of all files that are on their way, from their arrival until their temporary files are removed. */
  get bytesInFlight(): number {
    return this.inFlight.total;
  }

  /**
   * Receives a stream into a temporary file.
   * @param sender absent for files of the operator
   * @throws BoardError 424 when it is longer than MAX_UPLOAD_BYTES or breaks off, 421 and 503 when too many bytes are on
   *   their way
   */
  async spool(stream: Readable, sender?: Sender): Promise<Spooled> {
    stream.on("error", () => undefined); // one that breaks off before it is read; streamToFile hears of it afterwards
    const { file, lease } = await this.temporary(sender);
    const counter = new Md5Counter(this.parts.config.MAX_UPLOAD_BYTES, (bytes) => lease.take(bytes));
    try {
      await streamToFile(stream, file.path, counter);
    } catch (error) {
      await file.remove();
      throw error instanceof BoardError || isOwnFault(error) ? error : failure("malformed_body", {}, { cause: error });
    }
    const { bytes: size, md5 } = counter;
    if (md5 === null) throw new Error("a stream that ended has an md5");
    return { path: file.path, size, md5, remove: () => file.remove() };
  }

  /** A temporary file, and the count of its bytes, which ends when it is removed. */
  private async temporary(sender: Sender | undefined): Promise<{ file: TemporaryFile; lease: ByteLease }> {
    const file = await this.parts.storage.createTemporary();
    const lease = this.inFlight.lease(sender);
    const remove = () => file.remove().finally(() => lease.release());
    return { file: { path: file.path, remove }, lease };
  }

  /**
   * Downloads a source.
   * @param sender absent for files of the operator
   * @throws BoardError 420 saying why it can't be had, 421 and 503 when too many bytes are on their way, 503 when too many
   *   others are waiting
   */
  async download(url: string, sender?: Sender): Promise<Spooled> {
    if (downloads.waiting >= DOWNLOADS_AT_ONCE) throw failure("overloaded", {}, { retryAfter: 5 });
    return downloads.run(() => this.downloadNow(url, sender));
  }

  private async downloadNow(url: string, sender: Sender | undefined): Promise<Spooled> {
    const { config } = this.parts;
    const { file, lease } = await this.temporary(sender);
    try {
      await downloadSource(url, {
        path: file.path,
        maxBytes: config.MAX_UPLOAD_BYTES,
        timeoutMs: config.SOURCE_TIMEOUT_MS,
        allowHosts: config.SOURCE_ALLOW_HOSTS,
        userAgent: USER_AGENT,
        onBytes: (bytes) => lease.take(bytes),
      });
      const [{ size }, md5] = await Promise.all([stat(file.path), md5OfFile(file.path)]);
      return { path: file.path, size, md5, remove: () => file.remove() };
    } catch (error) {
      await file.remove();
      throw error;
    }
  }

  /**
   * A download that is fit to become a file of the board and that no post has.
   * @throws BoardError 403 for visitors, 420, 421, 423
   */
  async downloadNew(url: string, context: RequestContext): Promise<PreparedMedia> {
    const uploader = requireLevel(context.viewer);
    const spooled = await this.download(url, senderOf(context));
    try {
      return await this.prepare(spooled, uploader);
    } catch (error) {
      await spooled.remove();
      throw error;
    }
  }

  /**
   * Has a file decoded and its thumbnails made.
   * @param uploader whose it is; null for what the administrator imports
   * @throws BoardError 420 for files that are empty, of no supported type, damaged or too large, 421 when too many of the
   *   uploader's were, 423 for a duplicate, 503 when too many others are waiting to be decoded
   */
  async prepare(spooled: Spooled, uploader: SignedIn | null): Promise<PreparedMedia> {
    const { storage, database } = this.parts;
    if (spooled.size === 0) throw invalid("file", "empty_file");
    await refuseDuplicate(database, spooled.md5);
    const files = { spooled, derived: await DerivedFiles.make(storage), stored: [] };
    let media: PreparedMedia | undefined;
    try {
      media = { ...files, ...(await this.decode(files, uploader)) };
      if (storage.isRemote) await this.send(media);
      return media;
    } catch (error) {
      await this.discard(media ?? files, error instanceof StorageAwayError);
      throw error;
    }
  }

  private decode({ spooled, derived }: ReceivedFiles, uploader: SignedIn | null): Promise<Decoded> {
    const { decoder, config, limiter } = this.parts;
    const request: DecodeRequest = {
      path: spooled.path,
      bytes: spooled.size,
      limits: { maxPixels: config.MAX_PIXELS, maxVideoSeconds: config.MAX_VIDEO_SECONDS },
      to: derived.paths,
      videos: config.VIDEOS,
    };
    return uploader ? limiter.uploads.run(uploader, () => decoder.decode(request)) : decoder.decode(request);
  }

  /**
   * Puts the files in place before any transaction holds locks and a connection for as long as that takes. Until a row names
   * them they may be removed by another who has the same file, or by `storage verify`, so that `store` looks again.
   */
  private async send(media: PreparedMedia): Promise<void> {
    for (const [key, path] of placesOf(media)) {
      media.stored.push(key); // also when the answer is lost
      await this.parts.storage.put(path, key);
    }
  }

  /**
   * Removes the temporary files; and the stored ones, unless a row names them. That is asked of the database rather than
   * concluded: a commit may have succeeded although its answer was lost, and another upload of the same file may have been
   * faster. When the database can't be asked, the files stay, for `storage verify`.
   * @param isAway whether the storage does not answer, and is left to a job
   */
  async discard(media: ReceivedFiles, isAway = false): Promise<void> {
    const { stored, spooled, derived } = media;
    await Promise.all([spooled.remove(), derived.remove()]);
    if (stored.length === 0) return;
    await (isAway ? queueRemoval(this.parts.database, spooled.md5, stored) : this.removeUnnamed(spooled.md5, stored));
  }

  /**
   * Removes stored files of this md5 unless a row names them, which is asked when nobody else can add one. While a backup
   * runs, which may have them yet to copy, or the storage is away, that is left to a job.
   */
  async removeUnnamed(md5: string, keys: readonly string[]): Promise<void> {
    await this.parts.transact(async (db) => {
      await lockFile(db, md5);
      if (await db.mediaFile.findUnique({ where: { md5 }, select: { id: true } })) return;
      if (!(await mayRemoveFiles(db))) return queueRemoval(db, md5, keys);
      const removals = await Promise.allSettled(keys.map((key) => this.parts.storage.remove(key)));
      const failed = removals.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
      if (failed?.reason instanceof StorageAwayError) return queueRemoval(db, md5, keys);
      if (failed) throw failed.reason;
    });
  }

  /** Whether the transaction runs again; or the file was sent before it, and is there still. */
  private async isStored({ stored }: PreparedMedia, key: string): Promise<boolean> {
    const { storage } = this.parts;
    return stored.includes(key) && (!storage.isRemote || (await storage.exists(key)));
  }

  /**
   * Puts the files in place and names them, inside a transaction. Whatever becomes of it, `discard` comes after.
   * @throws BoardError 423 when another upload of the same file was faster
   */
  async store(db: Db, media: PreparedMedia): Promise<StoredMedia> {
    const { spooled, type, info } = media;
    await lockFile(db, spooled.md5);
    await refuseDuplicate(db, spooled.md5);
    for (const [key, path] of placesOf(media)) {
      if (await this.isStored(media, key)) continue;
      await this.parts.storage.put(path, key);
      media.stored.push(key);
    }
    return db.mediaFile.create({
      data: {
        md5: spooled.md5,
        fileExt: type.ext,
        fileSize: spooled.size,
        ...factsOf(media),
        duration: info.duration,
        frames: info.frames,
        hasSound: info.hasSound,
      },
    });
  }
}

/** Key and temporary path of each file, the original last. */
function placesOf(media: PreparedMedia): [string, string][] {
  const { spooled, type, derived } = media;
  const file = { md5: spooled.md5, fileExt: type.ext };
  return [...derived.places(file, factsOf(media)), [originalKey(file), spooled.path]];
}

/** Has another try made in a minute. */
async function queueRemoval(db: Db, md5: string, keys: readonly string[]): Promise<void> {
  await db.execute(sql`
    SELECT graphile_worker.add_job('remove_files', json_build_object('md5', ${md5}::text, 'keys', ${[...keys]}::text[]),
      run_at => now() + interval '1 minute')`);
}

/** A disk that is full or read-only is no fault of the sender's. */
const isOwnFault = (error: unknown): boolean => {
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall === "open" || syscall === "write";
};

/** Holds off everybody else who would add or remove this file, until the transaction ends. */
export const lockFile = (db: Db, md5: string): Promise<number> =>
  db.execute(sql`SELECT pg_advisory_xact_lock(${FILE_LOCK}::int, ('x' || left(${md5}, 8))::bit(32)::int)`);

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

/** Whether a file is here, and the post that has it, or had it before its file was replaced. */
export async function findByMd5(db: Db, md5: string): Promise<{ postId: number | null } | null> {
  const [found] = await db.query<{ postId: number | null }>(sql`
    SELECT COALESCE((SELECT p.id FROM posts p WHERE p.media_file_id = m.id),
                    (SELECT min(v.post_id) FROM post_versions v WHERE v.media_file_id = m.id)) AS "postId"
      FROM media_files m WHERE m.md5 = ${md5}`);
  return found ?? null;
}
