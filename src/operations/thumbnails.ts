/** Previews and samples made again out of the originals: those that are lost, or all of them in a new size or format. */
import { stat } from "node:fs/promises";
import type { PrismaClient } from "../database/client.js";
import type { Transact } from "../database/transaction.js";
import type { Progress } from "../lib/progress.js";
import { streamToFile } from "../lib/stream-to-file.js";
import type { Decoding } from "../media/decoder/decoder.js";
import { originalKey, previewKey, sampleKey } from "../storage/keys.js";
import type { Storage } from "../storage/storage.js";
import { lockFile } from "../resources/uploads/media-intake.js";

/** The row of a file, as far as its previews are concerned. */
export interface PictureRow {
  id: number;
  md5: string;
  fileExt: string;
  hasSample: boolean;
}

/** Numbers of posts, both ends included. */
export interface PostRange {
  from: number;
  to: number;
}

export interface ThumbnailReport {
  /** posts whose previews are new */
  posts: number;
  /** posts whose previews are as before, because the original is missing or can't be read */
  failed: number;
  /** the first of those */
  failedIds: number[];
}

const BATCH = 500;
const IDS_TOLD = 100;
/** What is on the board stays there. */
const NO_LIMITS = { maxPixels: Number.MAX_SAFE_INTEGER, maxVideoSeconds: Number.MAX_SAFE_INTEGER };

export interface ThumbnailParts {
  prisma: PrismaClient;
  transact: Transact;
  storage: Storage;
  decoder: Decoding;
}

export class Thumbnails {
  constructor(private readonly parts: ThumbnailParts) {}

  /** Makes those of all posts of a range again, one post after the other; readers see the old ones or the new ones. */
  async regenerate(range: PostRange, onProgress?: Progress): Promise<ThumbnailReport> {
    const report: ThumbnailReport = { posts: 0, failed: 0, failedIds: [] };
    const total = await this.parts.prisma.post.count({ where: { id: { gte: range.from, lte: range.to } } });
    for (let from = range.from; ;) {
      const posts = await this.nextPosts({ from, to: range.to });
      for (const post of posts) {
        onProgress?.("thumbnails", report.posts + report.failed, total);
        await this.remakeOf(post.id, post.file, report);
      }
      const last = posts[posts.length - 1]?.id;
      if (last === undefined || last >= range.to) return report;
      from = last + 1;
    }
  }

  /**
   * Makes the preview and, where there is or was one, the sample of a file again.
   * @throws what reading the original throws
   */
  async remake(row: PictureRow): Promise<void> {
    const { storage, decoder } = this.parts;
    const files = [
      await storage.createTemporary(),
      await storage.createTemporary(".jpg"),
      await storage.createTemporary(".jpg"),
    ] as const;
    const [copy, preview, sample] = files;
    try {
      await streamToFile(storage.open(originalKey(row)), copy.path);
      const { size: bytes } = await stat(copy.path);
      const to = { preview: preview.path, sample: sample.path };
      const { hasSample } = await decoder.decode({ path: copy.path, bytes, limits: NO_LIMITS, to, videos: true });
      await this.put(row, preview.path, hasSample ? sample.path : null);
    } finally {
      await Promise.all(files.map((file) => file.remove()));
    }
  }

  /** Files are in place before the row names them; and not put back when the post was expunged meanwhile. */
  private put(row: PictureRow, preview: string, sample: string | null): Promise<void> {
    const { storage, transact } = this.parts;
    return transact(async (db) => {
      await lockFile(db, row.md5);
      if (!(await db.mediaFile.findUnique({ where: { id: row.id }, select: { id: true } }))) return;
      await storage.put(preview, previewKey(row));
      if (sample === null) return;
      await storage.put(sample, sampleKey(row));
      if (!row.hasSample) await db.mediaFile.update({ where: { id: row.id }, data: { hasSample: true } });
    });
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

  private async nextPosts({ from, to }: PostRange): Promise<{ id: number; file: PictureRow }[]> {
    const rows = await this.parts.prisma.$queryRaw<({ postId: number } & PictureRow)[]>`
      SELECT p.id AS "postId", m.id, m.md5, m.file_ext AS "fileExt", m.has_sample AS "hasSample"
        FROM posts p JOIN media_files m ON m.id = p.media_file_id
       WHERE p.id BETWEEN ${from} AND ${to} ORDER BY p.id LIMIT ${BATCH}`;
    return rows.map(({ postId, ...file }) => ({ id: postId, file }));
  }
}
