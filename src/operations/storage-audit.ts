/**
 * Compares the files in the storage with the rows. Orphaned files, which processes leave that are killed between
 * storing a file and the commit, are removed; missing thumbnails and samples are regenerated;
 * missing originals are only reported.
 */
import { mayRemoveFiles } from "../database/lock.js";
import { OperatorError } from "../errors.js";
import { inBatches } from "../lib/in-batches.js";
import { keysOf, originalKey, parseKey } from "../storage/keys.js";
import { isRemovalQueued, lockFile } from "../resources/uploads/media-ingest.js";
import { type PictureRow, type ThumbnailParts, Thumbnails } from "./thumbnails.js";

export interface AuditReport {
  mediaFiles: number;
  storedFiles: number;
  /** keys of files without a row */
  orphans: string[];
  /** keys of thumbnails and samples that were missing */
  missingDerived: string[];
  /** keys of originals that are missing or have another size than in their row */
  missingOriginals: string[];
  /** originals whose missing thumbnails could not be regenerated, with the reasons */
  unreadable: { key: string; reason: string }[];
  /** removed folders of temporary files of processes that no longer run */
  temporarySwept: number;
  /** number of removed orphans and regenerated files */
  repaired: number;
  /** whether files and rows are consistent after the repairs */
  ok: boolean;
}

type FileRow = PictureRow & { fileSize: number };

/** The state of a row's files in the storage. */
interface FoundFiles {
  row: FileRow;
  /** whether the original exists with the right size */
  isWhole: boolean;
  /** keys of missing thumbnails and samples */
  missing: string[];
}

/** Most of the files have no row: the database or the folder is probably not the board's. */
const mostUnnamed = (orphans: number, files: number): OperatorError =>
  new OperatorError(
    `${orphans} of ${files} stored files have no row in the database; nothing was removed. Check DATABASE_URL, DATA_DIR and ENV_FILE. ` +
      "`--dry-run` lists the files, `--remove-most` removes them.",
  );

/** Orphans that are removed without a question, even if they are most of the files. */
const FEW = 20;

const BATCH = 1000;

/** Milliseconds within which a file in a remote storage, which is sent there before it is locked, may be that of an upload in progress. */
const LONGEST_UPLOAD = 3_600_000;

/** Rows that are checked concurrently: requests to a remote storage are slow. */
const CONCURRENCY = 16;

export class StorageAudit {
  private readonly thumbnails: Thumbnails;

  /** @param longestUpload milliseconds; tests may use less */
  constructor(
    private readonly parts: ThumbnailParts,
    private readonly longestUpload = LONGEST_UPLOAD,
  ) {
    this.thumbnails = new Thumbnails(parts);
  }

  /**
   * @param repair false to only report
   * @param removesMost whether orphans are removed even if they are more than half of the files
   * @throws OperatorError if they are, before anything is changed
   */
  async run(repair: boolean, removesMost = false): Promise<AuditReport> {
    const report: AuditReport = {
      mediaFiles: 0,
      storedFiles: 0,
      orphans: [],
      missingDerived: [],
      missingOriginals: [],
      unreadable: [],
      temporarySwept: 0,
      repaired: 0,
      ok: false,
    };
    await this.findOrphans(report);
    const ours = report.orphans.filter((key) => parseKey(key)).length;
    const isMost = ours > FEW && 2 * ours > report.storedFiles;
    if (repair && isMost && !removesMost) throw mostUnnamed(ours, report.storedFiles);
    if (repair || !isMost) await this.checkOrphans(report, repair);
    if (repair) report.temporarySwept = await this.parts.storage.temporary.sweep();
    await this.checkRows(report, repair);
    const wrong = report.orphans.length + report.missingDerived.length - report.repaired;
    return { ...report, ok: wrong + report.missingOriginals.length === 0 };
  }

  private async findOrphans(report: AuditReport): Promise<void> {
    let batch: string[] = [];
    const check = async () => report.orphans.push(...(await this.unnamed(batch)));
    const { storage } = this.parts;
    const complete = storage.isRemote ? Date.now() - this.longestUpload : Infinity;
    for await (const { key, mtime } of storage.list()) {
      report.storedFiles += 1;
      if (mtime.getTime() > complete) continue;
      if (batch.push(key) < BATCH) continue;
      await check();
      batch = [];
    }
    await check();
  }

  /** Those of the keys that no row names. */
  private async unnamed(keys: string[]): Promise<string[]> {
    const md5s = keys.flatMap((key) => parseKey(key)?.md5 ?? []);
    const rows = await this.parts.database.mediaFile.findMany({ where: { md5: { in: md5s } } });
    const named = new Set(rows.flatMap(keysOf));
    return keys.filter((key) => !named.has(key));
  }

  private async checkOrphans(report: AuditReport, repair: boolean): Promise<void> {
    const orphans = [];
    for (const key of report.orphans) {
      const became = await this.checkOrphan(key, repair);
      if (became !== "expected") orphans.push(key);
      if (became === "removed") report.repaired += 1;
    }
    report.orphans = orphans;
  }

  /** Checks again with the file's lock: its upload may have committed since, or its post was expunged, and a job will remove it. */
  private checkOrphan(key: string, repair: boolean): Promise<"expected" | "removed" | "kept"> {
    const md5 = parseKey(key)?.md5;
    if (!md5) return Promise.resolve("kept");
    return this.parts.transact(async (db) => {
      await lockFile(db, md5);
      const row = await db.mediaFile.findUnique({ where: { md5 } });
      if (row && keysOf(row).includes(key)) return "expected";
      if (!repair && (await isRemovalQueued(db, key))) return "expected";
      if (!repair || !(await mayRemoveFiles(db))) return "kept";
      await this.parts.storage.remove(key);
      return "removed";
    });
  }

  private async checkRows(report: AuditReport, repair: boolean): Promise<void> {
    const { mediaFile } = this.parts.database;
    const next = (after: number) =>
      mediaFile.findMany({ where: { id: { gt: after } }, orderBy: { id: "asc" }, take: BATCH });
    for await (const rows of inBatches(next)) {
      report.mediaFiles += rows.length;
      for (let from = 0; from < rows.length; from += CONCURRENCY) {
        const found = await Promise.all(rows.slice(from, from + CONCURRENCY).map((row) => this.inspect(row)));
        for (const each of found) await this.checkRow(each, report, repair);
      }
    }
  }

  private async inspect(row: FileRow): Promise<FoundFiles> {
    const { storage } = this.parts;
    const derived = keysOf(row).filter((key) => key !== originalKey(row));
    const [original, ...present] = await Promise.all([
      storage.stat(originalKey(row)),
      ...derived.map((key) => storage.stat(key)),
    ]);
    return {
      row,
      isWhole: original?.size === row.fileSize,
      missing: derived.filter((_, index) => !present[index]?.size), // or empty, as after a power failure
    };
  }

  private async checkRow({ row, isWhole, missing }: FoundFiles, report: AuditReport, repair: boolean): Promise<void> {
    if ((isWhole && missing.length === 0) || (await this.isGone(row))) return;
    if (!isWhole) return void report.missingOriginals.push(originalKey(row));
    report.missingDerived.push(...missing);
    if (!repair) return;
    try {
      await this.thumbnails.regenerateFile(row);
      report.repaired += missing.length;
    } catch (error) {
      report.unreadable.push({ key: originalKey(row), reason: (error as Error).message });
    }
  }

  /** Whether the row has been deleted in the meantime, as by expunging a post, which removes the files afterwards. */
  private async isGone({ id }: FileRow): Promise<boolean> {
    return (await this.parts.database.mediaFile.findUnique({ where: { id }, select: { id: true } })) === null;
  }
}
