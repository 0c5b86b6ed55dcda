/** Regenerates thumbnails and samples from the originals: missing ones, or all of a range of posts. */
import { stat } from "node:fs/promises";
import { type Database, type Sql, sql } from "../database/client.js";
import type { Transact } from "../database/transaction.js";
import { BoardError } from "../errors.js";
import { codeOf } from "../lib/error-code.js";
import { oneByOne } from "../lib/in-batches.js";
import type { Progress } from "../lib/progress.js";
import { streamToFile } from "../lib/files.js";
import type { Decoded, Decoding } from "../media/decoder/decoder.js";
import { type DerivedFacts, type MediaFile, originalKey } from "../storage/keys.js";
import { type Storage, StorageUnavailableError } from "../storage/storage.js";
import { DerivedFiles, factsOf } from "../resources/uploads/derived-files.js";
import { lockFile } from "../resources/uploads/media-ingest.js";

/** The fields of a media file that its thumbnails depend on. */
export interface PictureRow extends MediaFile, DerivedFacts {
  id: number;
}

/** A range of post ids, both ends included. */
export interface PostRange {
  from: number;
  to: number;
  /** only posts whose file has no thumbnails, or none but the preview, whatever the reason */
  isMissing?: boolean | undefined;
}

export interface ThumbnailReport {
  /** posts with new thumbnails */
  posts: number;
  /** posts whose original is missing or unreadable, or that failed otherwise; their thumbnails are unchanged */
  failed: number;
  /** their first ids */
  failedIds: number[];
}

const BATCH = 500;
const FAILED_IDS_MAX = 100;
/** Limits are for uploads, not for files on the board. */
const NO_LIMITS = { maxPixels: Number.MAX_SAFE_INTEGER, maxVideoSeconds: Number.MAX_SAFE_INTEGER };

/** Number of consecutive failures not caused by the files themselves, such as a full disk, after which no others are tried. */
const MAX_FAULTS = 5;

/** The placeholder of a file for which no thumbnails could be made; the back-fill skips it. */
const NONE = "";

const COLUMNS = sql`m.id, m.md5, m.file_ext AS "fileExt", m.image_width AS "imageWidth", m.image_height AS "imageHeight",
  m.has_sample AS "hasSample", m.placeholder`;

const postsOf = ({ from, to, isMissing = false }: PostRange): Sql => sql`
  posts p JOIN media_files m ON m.id = p.media_file_id
   WHERE p.id BETWEEN ${from} AND ${to} AND (NOT ${isMissing} OR coalesce(m.placeholder, ${NONE}) = ${NONE})`;

export interface ThumbnailParts {
  database: Database;
  transact: Transact;
  storage: Storage;
  decoder: Decoding;
}

export class Thumbnails {
  constructor(private readonly parts: ThumbnailParts) {}

  /**
   * Regenerates the files of a range of posts, one by one; each file is replaced atomically.
   * @throws the error of several consecutive posts that is not that of their originals
   */
  async regenerate(range: PostRange, onProgress?: Progress): Promise<ThumbnailReport> {
    const report: ThumbnailReport = { posts: 0, failed: 0, failedIds: [] };
    const [counted] = await this.parts.database.query<{ total: number }>(
      sql`SELECT count(*)::int AS total FROM ${postsOf(range)}`,
    );
    let faults = 0;
    const next = (after: number) => this.nextPosts({ ...range, from: Math.max(range.from, after + 1) });
    for await (const { id, file } of oneByOne(next)) {
      onProgress?.("thumbnails", report.posts + report.failed, counted?.total ?? 0);
      const fault = await this.regeneratePost(id, file, report);
      faults = fault === null ? 0 : faults + 1;
      if (faults >= MAX_FAULTS) throw fault;
    }
    return report;
  }

  /**
   * Makes thumbnails of files that were uploaded before there were any, oldest first, and marks those that can't be decoded.
   * Resumable: files with thumbnails are skipped, and so are missing ones, which may be there again for the next run.
   * @param stopping aborted to stop after the current file
   * @throws the error of several consecutive files, and of an unavailable storage or decoder
   */
  async backfill(stopping: AbortSignal): Promise<void> {
    let faults = 0;
    const next = (after: number) =>
      this.parts.database.query<PictureRow>(sql`
        SELECT ${COLUMNS} FROM media_files m WHERE m.placeholder IS NULL AND m.id > ${after} ORDER BY m.id LIMIT ${BATCH}`);
    for await (const file of oneByOne(next)) {
      if (stopping.aborted) return;
      const fault = await this.fill(file);
      faults = fault === null ? 0 : faults + 1;
      if (faults >= MAX_FAULTS || isBusy(fault)) throw fault;
    }
  }

  /** Regenerates the thumbnails and sample of a file. @throws errors of reading or decoding the original */
  async regenerateFile(row: PictureRow): Promise<void> {
    const { storage, decoder } = this.parts;
    const copy = await storage.temporary.create();
    const derived = await DerivedFiles.make(storage);
    try {
      await streamToFile(storage.open(originalKey(row)), copy.path);
      const { size: bytes } = await stat(copy.path);
      const request = { path: copy.path, bytes, limits: NO_LIMITS, to: derived.paths, videos: true };
      await this.put(row, derived, await decoder.decode(request));
    } finally {
      await Promise.all([copy.remove(), derived.remove()]);
    }
  }

  /** Stores the files before updating the row; not if the post has been expunged in the meantime. */
  private put(row: PictureRow, derived: DerivedFiles, decoded: Decoded): Promise<void> {
    const { storage, transact } = this.parts;
    const { hasSample, placeholder } = factsOf(decoded);
    return transact(async (db) => {
      await db.execute(sql`SELECT FROM posts WHERE media_file_id = ${row.id} FOR NO KEY UPDATE`); // whose revision the row's change raises
      await lockFile(db, row.md5);
      if (!(await db.mediaFile.findUnique({ where: { id: row.id }, select: { id: true } }))) return;
      for (const [key, path] of derived.places(row, { ...row, hasSample, placeholder })) await storage.put(path, key);
      const data = { hasSample: hasSample || row.hasSample, placeholder: placeholder ?? row.placeholder };
      if (data.hasSample !== row.hasSample || data.placeholder !== row.placeholder)
        await db.mediaFile.update({ where: { id: row.id }, data });
    });
  }

  /** @returns the error if it may be transient, and others' too */
  private async fill(file: PictureRow): Promise<unknown> {
    try {
      await this.regenerateFile(file);
      return null;
    } catch (error) {
      if (!(await this.isOfFile(file, error))) return error;
      if (error instanceof BoardError)
        await this.parts.database.mediaFile.updateMany({ where: { id: file.id }, data: { placeholder: NONE } });
      return null;
    }
  }

  /** @returns the error if it is not that of the original */
  private async regeneratePost(postId: number, file: PictureRow, report: ThumbnailReport): Promise<unknown> {
    try {
      await this.regenerateFile(file);
      report.posts += 1;
      return null;
    } catch (error) {
      report.failed += 1;
      if (report.failedIds.length < FAILED_IDS_MAX) report.failedIds.push(postId);
      return (await this.isOfFile(file, error)) ? null : error;
    }
  }

  /** Whether the original is what caused an error: it is missing, or can't be decoded. */
  private async isOfFile(file: PictureRow, error: unknown): Promise<boolean> {
    if (error instanceof BoardError) return error.status === 420;
    return codeOf(error) === "ENOENT" && (await this.parts.storage.stat(originalKey(file))) === null;
  }

  private async nextPosts(range: PostRange): Promise<{ id: number; file: PictureRow }[]> {
    const posts = await this.parts.database.query<PictureRow & { postId: number }>(sql`
      SELECT p.id AS "postId", ${COLUMNS} FROM ${postsOf(range)} ORDER BY p.id LIMIT ${BATCH}`);
    return posts.map(({ postId: id, ...file }) => ({ id, file }));
  }
}

/** Whether other files would fail too: the storage is unavailable, or the decoder overloaded. */
const isBusy = (fault: unknown): boolean => fault instanceof StorageUnavailableError || fault instanceof BoardError;
