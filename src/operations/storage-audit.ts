/**
 * Compares the files in the storage with the rows that name them. A file without a row is what a process that was killed
 * between putting a file in place and committing leaves behind, and is removed; thumbnails and samples that are missing are made again;
 * a missing original can't be repaired and is reported.
 */
import { mayRemoveFiles } from "../database/held-files.js";
import { keysOf, originalKey, parseKey } from "../storage/keys.js";
import { lockFile } from "../resources/uploads/media-intake.js";
import { type PictureRow, type ThumbnailParts, Thumbnails } from "./thumbnails.js";

export interface AuditReport {
  /** media files in the database */
  mediaFiles: number;
  /** files in the storage */
  storedFiles: number;
  /** keys of files that no row names */
  orphans: string[];
  /** keys of thumbnails and samples that were missing */
  missingDerived: string[];
  /** keys of originals that are missing or have another size than their row says */
  missingOriginals: string[];
  /** temporary files of dead processes that were swept */
  temporarySwept: number;
  /** how many orphans, thumbnails and samples were put right */
  repaired: number;
  /** whether files and rows agree now */
  ok: boolean;
}

interface FileRow extends PictureRow {
  fileSize: number;
}

/** What of a row's files is in the storage. */
interface FoundFiles {
  row: FileRow;
  /** whether the original is there, in its size */
  isWhole: boolean;
  /** keys of its thumbnails and sample that are not there */
  missing: string[];
}

const BATCH = 1000;

/** Files that are looked for at once: where the storage is elsewhere, each takes its time. */
const LOOKS_AT_ONCE = 16;

export class StorageAudit {
  private readonly thumbnails: Thumbnails;

  constructor(private readonly parts: ThumbnailParts) {
    this.thumbnails = new Thumbnails(parts);
  }

  /** @param repair whether to put right what can be; otherwise only the report is made */
  async run(repair: boolean): Promise<AuditReport> {
    const report: AuditReport = {
      mediaFiles: 0,
      storedFiles: 0,
      orphans: [],
      missingDerived: [],
      missingOriginals: [],
      temporarySwept: repair ? await this.parts.storage.sweepTemporary() : 0,
      repaired: 0,
      ok: false,
    };
    await this.checkFiles(report, repair);
    await this.checkRows(report, repair);
    const wrong = report.orphans.length + report.missingDerived.length - report.repaired;
    return { ...report, ok: wrong + report.missingOriginals.length === 0 };
  }

  private async checkFiles(report: AuditReport, repair: boolean): Promise<void> {
    let batch: string[] = [];
    for await (const { key } of this.parts.storage.list()) {
      report.storedFiles += 1;
      if (batch.push(key) < BATCH) continue;
      await this.checkBatch(batch, report, repair);
      batch = [];
    }
    await this.checkBatch(batch, report, repair);
  }

  private async checkBatch(keys: string[], report: AuditReport, repair: boolean): Promise<void> {
    const md5s = keys.flatMap((key) => parseKey(key)?.md5 ?? []);
    const rows = await this.parts.database.mediaFile.findMany({ where: { md5: { in: md5s } } });
    const named = new Set(rows.flatMap(keysOf));
    for (const key of keys.filter((each) => !named.has(each))) {
      const removed = await this.checkOrphan(key, repair);
      if (removed !== "named") report.orphans.push(key);
      if (removed === "removed") report.repaired += 1;
    }
  }

  /** Looks again under the file's lock: an upload may have been between putting the file in place and its commit. */
  private checkOrphan(key: string, repair: boolean): Promise<"named" | "removed" | "kept"> {
    const md5 = parseKey(key)?.md5;
    if (!md5) return Promise.resolve("kept");
    return this.parts.transact(async (db) => {
      await lockFile(db, md5);
      const row = await db.mediaFile.findUnique({ where: { md5 } });
      if (row && keysOf(row).includes(key)) return "named";
      if (!repair || !(await mayRemoveFiles(db))) return "kept";
      await this.parts.storage.remove(key);
      return "removed";
    });
  }

  private async checkRows(report: AuditReport, repair: boolean): Promise<void> {
    for (let after = 0; ;) {
      const rows = await this.parts.database.mediaFile.findMany({
        where: { id: { gt: after } },
        orderBy: { id: "asc" },
        take: BATCH,
      });
      if (rows.length === 0) return;
      report.mediaFiles += rows.length;
      for (let from = 0; from < rows.length; from += LOOKS_AT_ONCE) {
        const found = await Promise.all(rows.slice(from, from + LOOKS_AT_ONCE).map((row) => this.look(row)));
        for (const each of found) await this.checkRow(each, report, repair);
      }
      after = rows[rows.length - 1]?.id ?? after;
    }
  }

  private async look(row: FileRow): Promise<FoundFiles> {
    const { storage } = this.parts;
    const derived = keysOf(row).filter((key) => key !== originalKey(row));
    const [original, ...present] = await Promise.all([
      storage.stat(originalKey(row)),
      ...derived.map((key) => storage.exists(key)),
    ]);
    return {
      row,
      isWhole: original?.size === row.fileSize,
      missing: derived.filter((_, index) => !present[index]),
    };
  }

  private async checkRow({ row, isWhole, missing }: FoundFiles, report: AuditReport, repair: boolean): Promise<void> {
    if (!isWhole) {
      if (await this.isGone(row)) return;
      report.missingOriginals.push(originalKey(row));
      return;
    }
    if (missing.length > 0 && (await this.isGone(row))) return;
    report.missingDerived.push(...missing);
    if (missing.length === 0 || !repair) return;
    const isMade = await this.thumbnails.remake(row).then(
      () => true,
      () => false, // an original that can't be read; the report says that its thumbnails are missing still
    );
    if (isMade) report.repaired += missing.length;
  }

  /** Files are removed after their row: before reporting one as missing, check whether the post was expunged meanwhile. */
  private async isGone({ id }: FileRow): Promise<boolean> {
    return (await this.parts.database.mediaFile.findUnique({ where: { id }, select: { id: true } })) === null;
  }
}
