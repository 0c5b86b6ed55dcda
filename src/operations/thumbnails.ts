/** Thumbnails and samples made again out of the originals: those that are lost or were never made, or all of them in a new size or format. */
import { stat } from "node:fs/promises";
import { type Database, type Sql, sql } from "../database/client.js";
import type { Transact } from "../database/transaction.js";
import { BoardError } from "../errors.js";
import type { Progress } from "../lib/progress.js";
import { streamToFile } from "../lib/stream-to-file.js";
import type { Decoded, Decoding } from "../media/decoder/decoder.js";
import { type DerivedFacts, type MediaFile, originalKey } from "../storage/keys.js";
import { type Storage, StorageAwayError } from "../storage/storage.js";
import { DerivedFiles, factsOf } from "../resources/uploads/derived-files.js";
import { lockFile } from "../resources/uploads/media-intake.js";

/** The row of a file, as far as its thumbnails are concerned. */
export interface PictureRow extends MediaFile, DerivedFacts {
  id: number;
}

/** Numbers of posts, both ends included. */
export interface PostRange {
  from: number;
  to: number;
}

export interface ThumbnailReport {
  /** posts whose thumbnails are new */
  posts: number;
  /** posts whose thumbnails are as before, because the original is missing or can't be read */
  failed: number;
  /** the first of those */
  failedIds: number[];
}

const BATCH = 500;
const IDS_TOLD = 100;
/** What is on the board stays there. */
const NO_LIMITS = { maxPixels: Number.MAX_SAFE_INTEGER, maxVideoSeconds: Number.MAX_SAFE_INTEGER };

/** Files in a row that fail for reasons of our own, such as a full disk, before the rest is left for later. */
const MAX_FAULTS = 5;

/** The placeholder of a file that has no thumbnails and gets none except by command. */
const NONE = "";

const COLUMNS = sql`m.id, m.md5, m.file_ext AS "fileExt", m.image_width AS "imageWidth", m.image_height AS "imageHeight",
  m.has_sample AS "hasSample", m.placeholder`;

export interface ThumbnailParts {
  database: Database;
  transact: Transact;
  storage: Storage;
  decoder: Decoding;
}

export class Thumbnails {
  constructor(private readonly parts: ThumbnailParts) {}

  /** Makes those of all posts of a range again, one post after the other; readers see the old ones or the new ones. */
  async regenerate(range: PostRange, onProgress?: Progress): Promise<ThumbnailReport> {
    const report: ThumbnailReport = { posts: 0, failed: 0, failedIds: [] };
    const total = await this.parts.database.post.count({ where: { id: { gte: range.from, lte: range.to } } });
    for (let from = range.from; ;) {
      const posts = await this.nextPosts({ from, to: range.to });
      for (const { postId, ...file } of posts) {
        onProgress?.("thumbnails", report.posts + report.failed, total);
        await this.remakeOf(postId, file, report);
      }
      const last = posts[posts.length - 1]?.postId;
      if (last === undefined || last >= range.to) return report;
      from = last + 1;
    }
  }

  /**
   * Makes the thumbnails of files that came before there were any, in the order in which they came, and notes those of which none
   * can be made. What is made stays: begun anew, it goes on.
   * @param stopping aborted to leave the rest for later
   * @throws what several files in a row throw, and a storage or decoder that can take nothing now
   */
  async backfill(stopping: AbortSignal): Promise<void> {
    let faults = 0;
    for (let after = 0; ;) {
      const files = await this.nextWithout(after);
      for (const file of files) {
        if (stopping.aborted) return;
        const fault = await this.fill(file);
        faults = fault === null ? 0 : faults + 1;
        if (faults >= MAX_FAULTS || isBusy(fault)) throw fault;
        after = file.id;
      }
      if (files.length === 0) return;
    }
  }

  /**
   * Makes the thumbnails and, where there is or was one, the sample of a file again.
   * @throws what reading the original throws
   */
  async remake(row: PictureRow): Promise<void> {
    const { storage, decoder } = this.parts;
    const copy = await storage.createTemporary();
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

  /** Files are in place before the row names them; and not put back when the post was expunged meanwhile. */
  private put(row: PictureRow, derived: DerivedFiles, decoded: Decoded): Promise<void> {
    const { storage, transact } = this.parts;
    const { hasSample, placeholder } = factsOf(decoded);
    return transact(async (db) => {
      await lockFile(db, row.md5);
      if (!(await db.mediaFile.findUnique({ where: { id: row.id }, select: { id: true } }))) return;
      for (const [key, path] of derived.places(row, { ...row, hasSample, placeholder })) await storage.put(path, key);
      const data = { hasSample: hasSample || row.hasSample, placeholder: placeholder ?? row.placeholder };
      if (data.hasSample !== row.hasSample || data.placeholder !== row.placeholder)
        await db.mediaFile.update({ where: { id: row.id }, data });
    });
  }

  /** @returns what went wrong and may not the next time */
  private async fill(file: PictureRow): Promise<unknown> {
    try {
      await this.remake(file);
      return null;
    } catch (error) {
      if (!(await this.isUnreadable(file, error))) return error;
      await this.parts.database.mediaFile.updateMany({ where: { id: file.id }, data: { placeholder: NONE } });
      return null;
    }
  }

  /** Whether the original is not there, or none that thumbnails can be made of. */
  private async isUnreadable(file: PictureRow, error: unknown): Promise<boolean> {
    if (error instanceof BoardError) return error.status === 420;
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return isMissing && !(await this.parts.storage.exists(originalKey(file)));
  }

  private async remakeOf(postId: number, file: PictureRow, report: ThumbnailReport): Promise<void> {
    try {
      await this.remake(file);
      report.posts += 1;
    } catch {
      report.failed += 1;
      if (report.failedIds.length < IDS_TOLD) report.failedIds.push(postId);
    }
  }

  private nextPosts({ from, to }: PostRange): Promise<({ postId: number } & PictureRow)[]> {
    return this.read(sql`
      SELECT p.id AS "postId", ${COLUMNS} FROM posts p JOIN media_files m ON m.id = p.media_file_id
       WHERE p.id BETWEEN ${from} AND ${to} ORDER BY p.id LIMIT ${BATCH}`);
  }

  private nextWithout(after: number): Promise<PictureRow[]> {
    return this.read(sql`
      SELECT ${COLUMNS} FROM media_files m
       WHERE m.placeholder IS NULL AND m.id > ${after} ORDER BY m.id LIMIT ${BATCH}`);
  }

  private read<Row extends object>(statement: Sql): Promise<Row[]> {
    return this.parts.database.query<Row>(statement);
  }
}

/** Whether it is no use to go on with other files: the storage is away, or the decoder has too much to do. */
const isBusy = (fault: unknown): boolean => fault instanceof StorageAwayError || fault instanceof BoardError;
