/**
 * Writes a backup of a board while it is in use: the rows of one snapshot, and their files. Files are stored
 * before the transaction with their row commits, never change, and are not removed while a backup runs, so
 * they are copied after the snapshot has ended. It blocks no other work but migrations, while rows are written, and needs only a few
 * megabytes of memory.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { holdFiles } from "../../database/lock.js";
import { hasTable, withSession } from "../../database/session.js";
import { OperatorError } from "../../errors.js";
import { ifCode } from "../../lib/error-code.js";
import type { Progress } from "../../lib/progress.js";
import { type DerivedFacts, keysOf, type MediaFile, originalKey } from "../../storage/keys.js";
import type { Storage } from "../../storage/storage.js";
import { ArchiveWriter } from "./archive.js";
import { NoBoardError } from "../no-board.js";
import {
  columnsOf,
  JOBS,
  MANIFEST,
  type Manifest,
  MANIFEST_SUM,
  quoted,
  readSequences,
  readTables,
  sumOf,
  writeManifest,
} from "./manifest.js";

export interface BackupOptions {
  databaseUrl: string;
  storage: Storage;
  /** the key that signs cookies; null if it is not stored with the board */
  secret: string | null;
  file: string;
  onProgress?: Progress;
}

export interface BackupReport {
  bytes: number;
  tables: number;
  files: number;
  /** files of rows that are missing in the storage */
  missing: number;
  /** their first keys */
  missingKeys: string[];
  /** the first keys of files that the disk can't read, and of originals whose content is not that of their md5 */
  damagedKeys: string[];
}

/** Bytes of rows per compressed entry. */
const CHUNK = 4 * 1024 * 1024;
const REPORTED_KEYS_MAX = 100;
const FILES_PER_BATCH = 1000;
/** The code of a fault of the disk. */
const UNREADABLE = ["EIO"];
const compress = promisify(gzip);

/**
 * Writes the backup; when it is complete, it replaces an existing file.
 * @throws NoBoardError; OperatorError without any of the files; errors of the database or the disk; then no file is left
 */
export async function writeBackup(options: BackupOptions): Promise<BackupReport> {
  return withSession(options.databaseUrl, "backup", async (client) => {
    await beginSnapshot(client);
    // a board without accounts is probably the wrong database, and its backup would replace those of the right one
    const users = (await hasTable(client, "users")) ? await client.query("SELECT 1 FROM users LIMIT 1") : null;
    if (!users?.rowCount) throw new NoBoardError();
    return writeArchive(client, options);
  });
}

async function writeArchive(client: pg.Client, options: BackupOptions): Promise<BackupReport> {
  const archive = await ArchiveWriter.create(options.file);
  try {
    const report = await new Backup(client, archive, options).write();
    const { files, missing } = report;
    // its folder or bucket is probably wrong, and the backup would replace those with the files
    if (files === 0 && missing > 0)
      throw new OperatorError(
        `None of the board's ${missing} files is in the storage; nothing was written. Check DATA_DIR, STORAGE and ENV_FILE.`,
      );
    await archive.finish();
    return { ...report, bytes: archive.size };
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

/** Begins the snapshot, with formats of times and numbers that don't depend on the server's settings. */
async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query(
    "SET timezone = 'UTC'; SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1",
  );
  await holdFiles(client);
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
}

class Backup {
  private readonly report: BackupReport = {
    bytes: 0,
    tables: 0,
    files: 0,
    missing: 0,
    missingKeys: [],
    damagedKeys: [],
  };

  constructor(
    private readonly client: pg.Client,
    private readonly archive: ArchiveWriter,
    private readonly options: BackupOptions,
  ) {}

  async write(): Promise<BackupReport> {
    const { secret } = this.options;
    const manifest = await this.manifest();
    const content = writeManifest(manifest);
    await this.archive.add(MANIFEST, content);
    await this.archive.add(MANIFEST_SUM, sumOf(content));
    if (secret !== null) await this.archive.add("secret", Buffer.from(`${secret}\n`));
    await this.writeTables(manifest);
    if (await hasTable(this.client, "graphile_worker._private_jobs")) await this.writeRows("jobs", JOBS);
    await this.writeFiles();
    return this.report;
  }

  private async manifest(): Promise<Omit<Manifest, "format">> {
    const tables = await readTables(this.client);
    // no migration may change a table before it is copied
    await this.client.query(`LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(", ")} IN ACCESS SHARE MODE`);
    const { rows } = await this.client.query<{ name: string }>(
      `SELECT migration_name AS name FROM _prisma_migrations
        WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`,
    );
    const migrations = rows.map(({ name }) => name);
    const { rows: times } = await this.client.query<{ now: Date }>("SELECT now()");
    const takenAt = (times[0]?.now ?? new Date()).toISOString();
    return { takenAt, migrations, tables, sequences: await readSequences(this.client) };
  }

  private async writeTables({ tables }: Pick<Manifest, "tables">): Promise<void> {
    for (const table of tables) {
      this.options.onProgress?.("rows", this.report.tables, tables.length);
      await this.writeRows(`rows/${table.name}`, columnsOf(table));
      this.report.tables += 1;
    }
    this.options.onProgress?.("rows", tables.length, tables.length);
  }

  /** Writes the output of COPY as separately compressed entries. @param source a table, or a query */
  private async writeRows(folder: string, source: string): Promise<void> {
    const from = source.startsWith("SELECT") ? `(${source})` : source;
    let [chunks, size, part]: [Buffer[], number, number] = [[], 0, 0];
    const flush = async () => {
      part += 1;
      await this.archive.add(`${folder}/${String(part).padStart(8, "0")}.gz`, await compress(Buffer.concat(chunks)));
      [chunks, size] = [[], 0];
    };
    for await (const chunk of this.client.query(copyTo(`COPY ${from} TO STDOUT`)) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= CHUNK) await flush();
    }
    if (size > 0) await flush();
  }

  private async writeFiles(): Promise<void> {
    const { rows } = await this.client.query<{ count: number }>("SELECT count(*)::int AS count FROM media_files");
    const total = rows[0]?.count ?? 0;
    await this.endSnapshot();
    let done = 0;
    for (let files = await this.nextFiles(); files.length > 0; files = await this.nextFiles()) {
      for (const file of files) {
        this.options.onProgress?.("files", done, total);
        for (const key of keysOf(file)) await this.writeFile(key, key === originalKey(file) ? file.md5 : null);
        done += 1;
      }
    }
  }

  /**
   * Ends the snapshot, for whose end migrations and VACUUM wait: copying the files may take hours. PostgreSQL keeps the list of them.
   * Works with the tables of an older version too: a column that doesn't exist yet is null.
   */
  private async endSnapshot(): Promise<void> {
    await this.client.query(
      `DECLARE files CURSOR WITH HOLD FOR
        SELECT md5, file_ext AS "fileExt", image_width AS "imageWidth", image_height AS "imageHeight",
               has_sample AS "hasSample", to_jsonb(media_files) ->> 'placeholder' AS placeholder FROM media_files ORDER BY id`,
    );
    await this.client.query("COMMIT");
  }

  private async nextFiles() {
    const { rows } = await this.client.query<MediaFile & DerivedFacts>(`FETCH ${FILES_PER_BATCH} FROM files`);
    return rows;
  }

  /**
   * Originals never change. Derived files may be regenerated concurrently, so they are read before their size is written.
   * @param md5 of an original; null for a derived file
   */
  private async writeFile(key: string, md5: string | null): Promise<void> {
    const { storage } = this.options;
    const found = await storage.stat(key);
    if (!found) {
      this.report.missing += 1;
      if (this.report.missingKeys.length < REPORTED_KEYS_MAX) this.report.missingKeys.push(key);
      return;
    }
    if (md5 !== null) return this.writeOriginal(key, found.size, md5);
    const content = await storage.open(key).toArray().catch(ifCode(UNREADABLE, null));
    if (!content) return this.markDamaged(key);
    await this.archive.add(`media/${key}`, Buffer.concat(content as Buffer[]));
    this.report.files += 1;
  }

  /** Has zeros in place of what can't be read. */
  private async writeOriginal(key: string, size: number, md5: string): Promise<void> {
    const { storage } = this.options;
    const hash = createHash("md5");
    const content = async function* () {
      let left = size;
      try {
        for await (const chunk of storage.open(key) as AsyncIterable<Buffer>) {
          hash.update(chunk);
          left -= chunk.length;
          yield chunk;
        }
      } catch (error) {
        yield ifCode(UNREADABLE, Buffer.alloc(left))(error);
      }
    };
    await this.archive.addStream(`media/${key}`, size, content());
    this.report.files += 1;
    if (hash.digest("hex") !== md5) this.markDamaged(key);
  }

  private markDamaged(key: string): void {
    if (this.report.damagedKeys.length < REPORTED_KEYS_MAX) this.report.damagedKeys.push(key);
  }
}
