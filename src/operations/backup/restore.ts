/**
 * Restores a backup into an empty board. All rows are inserted in one transaction, which commits after the last file has been stored
 * and the checksum verified; if anything fails, the board is empty again. Constraints and triggers are in force
 * before rows become visible. The database user must own the tables, and needs no other rights.
 */
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { createWriteStream } from "node:fs";
import { withoutIndexes, withoutTriggers } from "../../database/bulk-load.js";
import { migrate, migrationNames } from "../../database/migrate.js";
import { LOCKS } from "../../database/lock.js";
import { withSession } from "../../database/session.js";
import { migrateQueue } from "../../runtime/jobs/queue.js";
import { codeOf } from "../../lib/error-code.js";
import { OperatorError } from "../../errors.js";
import type { Progress } from "../../lib/progress.js";
import type { Storage, TemporaryFile } from "../../storage/storage.js";
import type { Logger } from "../../runtime/telemetry/log.js";
import { type ArchiveEntry, ArchiveReader, DAMAGED } from "./archive.js";
import {
  columnsOf,
  COPY_JOBS,
  MAKE_JOBS,
  MANIFEST,
  type Manifest,
  MANIFEST_SUM,
  QUEUE_JOBS,
  quoted,
  readManifest,
  readTables,
  sumOf,
  writeSequences,
} from "./manifest.js";
import { parseKey } from "../../storage/keys.js";

export interface RestoreOptions {
  databaseUrl: string;
  storage: Storage;
  file: string;
  log: Logger;
  /** stores the key that signs cookies, if the backup contains it */
  saveSecret: (secret: string) => Promise<void>;
  onProgress?: Progress;
}

export interface RestoreReport {
  /** when the backup was taken, in ISO 8601 */
  takenAt: string;
  tables: number;
  files: number;
  /** migrations that were applied after restoring the rows */
  migrated: string[];
}

const decompress = promisify(gunzip);

/** Tables with rows on a new board. */
const NEVER_EMPTY = ["tag_generation"];

/** Restores a backup. @throws OperatorError if the file is damaged or of a newer version, or the board is not empty */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  await using archive = await ArchiveReader.open(options.file);
  const entries = archive.entries();
  const manifest = await readHeader(entries);
  await prepare(options, manifest);
  return await withSession(options.databaseUrl, "restore", async (client) => {
    await client.query("SET timezone = 'UTC'");
    const restore = new Restore(client, archive, entries, options, manifest);
    const files = await restore.run();
    const migrated = await migrate(options.databaseUrl);
    await client.query("VACUUM ANALYZE");
    return { takenAt: manifest.takenAt, tables: manifest.tables.length, files, migrated };
  });
}

async function readHeader(entries: AsyncGenerator<ArchiveEntry>): Promise<Manifest> {
  const content = await contentOf(entries, MANIFEST);
  const sum = await contentOf(entries, MANIFEST_SUM);
  if (!sum.equals(sumOf(content))) throw new OperatorError(DAMAGED);
  return readManifest(content);
}

/** The content of the next entry, which must have this name. */
async function contentOf(entries: AsyncGenerator<ArchiveEntry>, name: string): Promise<Buffer> {
  const { value, done } = await entries.next();
  if (done || value.name !== name) throw new OperatorError(DAMAGED);
  return value.read();
}

/** Applies the migrations that the backup was taken with, so that its rows fit the tables. */
async function prepare({ databaseUrl, log }: RestoreOptions, { migrations }: Manifest): Promise<void> {
  const known = migrationNames();
  const unknown = migrations.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new OperatorError(`The backup was made by a newer version of the board, with the migration ${unknown}.`);
  await migrate(databaseUrl, migrations);
  await migrateQueue(databaseUrl, log);
}

/** Errors of decompression and of invalid rows: the checksum at the end would fail too. */
const isDamage = (error: unknown): boolean => /^(Z_|22|23)/.test(codeOf(error));

class Restore {
  private readonly tables: string[];
  private readonly files: FileLoader;
  private secret: string | null = null;

  constructor(
    private readonly client: pg.Client,
    private readonly archive: ArchiveReader,
    private readonly entries: AsyncGenerator<ArchiveEntry>,
    private readonly options: RestoreOptions,
    private readonly manifest: Manifest,
  ) {
    this.tables = manifest.tables.map(({ name }) => quoted(name));
    this.files = new FileLoader(options.storage);
  }

  /** @returns the number of stored files */
  async run(): Promise<number> {
    await this.client.query("BEGIN");
    await this.client.query("SELECT pg_advisory_xact_lock($1)", [LOCKS.files]); // of another restore, with which it would end in a deadlock
    await this.lockEmpty();
    try {
      await this.load();
    } catch (error) {
      // if the storage is unavailable, files without rows are left; the first error is thrown
      await this.files.undo().catch(() => undefined);
      throw isDamage(error) ? new OperatorError(DAMAGED, { cause: error }) : error;
    }
    // first: a restored board can't be restored again, and a board that stays empty does as well with this secret
    if (this.secret !== null) await this.options.saveSecret(this.secret);
    await this.client.query("COMMIT");
    return this.files.count;
  }

  /** Locks the tables, and checks that the board is empty. @throws OperatorError */
  private async lockEmpty(): Promise<void> {
    const found = (await readTables(this.client)).map(({ name }) => name);
    const missing = this.manifest.tables.find(({ name }) => !found.includes(name));
    if (missing) throw new OperatorError(`The backup has a table ${missing.name}, which this board does not have.`);
    await this.refuseFilled(found); // without a lock, for which a live board would have to wait
    await this.client.query(`LOCK TABLE ${this.tables.join(", ")} IN ACCESS EXCLUSIVE MODE`);
    await this.refuseFilled(found);
    await this.refuseMigrated();
    for await (const { key } of this.options.storage.list())
      throw new OperatorError(
        `The board already has files (${key}). If an interrupted restore left them, \`board storage verify --remove-most\` removes them.`,
      );
  }

  /** @throws OperatorError if one of the tables has rows */
  private async refuseFilled(tables: readonly string[]): Promise<void> {
    for (const name of tables.filter((each) => !NEVER_EMPTY.includes(each))) {
      const { rowCount } = await this.client.query(`SELECT FROM ${quoted(name)} LIMIT 1`);
      if (rowCount) throw new OperatorError(`The board is not empty (${name}); a backup is restored into a new one.`);
    }
  }

  /**
   * The board's tables may be newer, also by a server that has been started since `prepare` and has begun to migrate them: what its migrations derive
   * from rows, they would have derived from none.
   * @throws OperatorError
   */
  private async refuseMigrated(): Promise<void> {
    const { rows } = await this.client.query<{ name: string }>(
      "SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL AND migration_name <> ALL($1)",
      [this.manifest.migrations],
    );
    const [further] = rows;
    if (further)
      throw new OperatorError(
        `The backup is older than the board's tables (${further.name}); restore it into a new board.`,
      );
  }

  private async load(): Promise<void> {
    const { client, tables } = this;
    await withoutTriggers(client, tables, async () => {
      // CASCADE: with tables that are not in backups and reference these, such as sessions, which are empty too
      await client.query(`TRUNCATE ${tables.join(", ")} CASCADE`);
      await client.query(MAKE_JOBS);
      await withoutIndexes(client, tables, () => this.readEntries());
    });
    await writeSequences(client, this.manifest.sequences);
    await client.query(QUEUE_JOBS);
  }

  private async readEntries(): Promise<void> {
    for (let next = await this.entries.next(); !next.done;) {
      const { name } = next.value;
      this.options.onProgress?.("restore", this.archive.position, this.archive.size);
      if (/^(rows|jobs)\//.test(name)) {
        next = await this.copyRows(next.value);
        continue;
      }
      if (name === "secret") this.secret = (await next.value.read()).toString().trim();
      else await this.files.add(name.replace(/^media\//, ""), next.value);
      next = await this.entries.next();
    }
    await this.files.finish();
  }

  /** Copies the rows of all entries of a table with one statement. @returns the entry after them */
  private async copyRows(entry: ArchiveEntry): Promise<IteratorResult<ArchiveEntry, void>> {
    const { entries } = this;
    const folder = path.posix.dirname(entry.name);
    let next: IteratorResult<ArchiveEntry, void> = { done: false, value: entry };
    const rows = async function* () {
      for (; !next.done && path.posix.dirname(next.value.name) === folder; next = await entries.next())
        yield await decompress(await next.value.read());
    };
    await pipeline(rows, this.client.query(copyFrom(this.statementFor(folder))));
    return next;
  }

  private statementFor(folder: string): string {
    if (folder === "jobs") return COPY_JOBS;
    const table = this.manifest.tables.find(({ name }) => `rows/${name}` === folder);
    if (!table) throw new OperatorError(DAMAGED);
    return `COPY ${columnsOf(table)} FROM STDIN`;
  }
}

const CONCURRENCY = 16;

/** Stores the files of a backup, several at once: each waits for the disk or network. */
class FileLoader {
  private pending: Promise<unknown>[] = [];
  /** stored files */
  count = 0;

  constructor(private readonly storage: Storage) {}

  /** @throws OperatorError if the entry is not a media file; errors of the storage for this or earlier files */
  async add(key: string, entry: ArchiveEntry): Promise<void> {
    if (!parseKey(key)) throw new OperatorError(DAMAGED);
    const file = await this.storage.temporary.create();
    await pipeline(entry.stream(), createWriteStream(file.path));
    const put = this.put(file, key);
    put.catch(() => undefined); // thrown by `finish`
    this.count += 1;
    if (this.pending.push(put) >= CONCURRENCY) await this.finish();
  }

  private async put(file: TemporaryFile, key: string): Promise<void> {
    try {
      await this.storage.put(file.path, key);
    } finally {
      await file.remove();
    }
  }

  /** Waits until none is being stored any more. @throws the first error of the storage */
  async finish(): Promise<void> {
    const { pending } = this;
    this.pending = [];
    const outcomes = await Promise.allSettled(pending);
    const failed = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
  }

  /** Removes all files from the storage, which was empty before. */
  async undo(): Promise<void> {
    await Promise.allSettled(this.pending);
    for await (const { key } of this.storage.list()) await this.storage.remove(key);
  }
}
