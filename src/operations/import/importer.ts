/** Imports one record: checks it, finds or creates it, and stores its ledger entry, in one transaction. */
import type { z } from "zod";
import type { SignedIn } from "../../runtime/auth/viewer.js";
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import type { Database, Db, Executor, Transaction } from "../../database/client.js";
import { withStatements } from "../../database/database.js";
import type { Transact } from "../../database/transaction.js";
import { toBoardError } from "../../database/faults.js";
import type { MediaIngest } from "../../resources/uploads/media-ingest.js";
import type { FileFetcher } from "./post-file.js";
import { ImportError, type Kind } from "./source.js";
import type { Entry, Ledger } from "./ledger.js";
import { SHAPES, wrongWith } from "./records.js";

export interface Work {
  database: Database;
  transact: Transact;
  config: Config;
  ingest: MediaIngest;
  ledger: Ledger;
  files: FileFetcher;
  /** the owner of the records, with all rights, since it is run from the board's shell */
  context: RequestContext & { viewer: SignedIn };
  /** name of the source in public texts */
  origin: string;
  keepIds: boolean;
  dryRun: boolean;
  /** Reports a part of a record that was not imported. */
  remark(kind: Kind, id: number, remark: string): void;
}

/** `existing`: an existing record was left unchanged; `completed`: a missing part was added to an existing record. */
export type Outcome = "created" | "existing" | "completed" | "unchanged";

/** The result of a record, and its ledger entry. */
export interface Imported {
  outcome: Outcome;
  localId: number;
  /** what is still missing */
  problem?: string | null;
  parentId?: number | null;
}

/** Imports a record of one kind. @throws BoardError, RecordProblem if the record, its file or the site is invalid */
export type Importer = (work: Work, raw: unknown) => Promise<Outcome>;

/** A record can't be imported; the message says why. */
export class RecordProblem extends Error {}

interface Steps<R> {
  /** The id of the same record here, if it exists. */
  find(db: Db, work: Work, record: R): Promise<number | null>;
  /** Creates it with the services, in the transaction. */
  create(db: Db, work: Work, record: R): Promise<Omit<Imported, "outcome"> & { outcome?: Outcome }>;
  /** Tries to add missing parts to a record that was imported before. */
  complete?(db: Db, work: Work, record: R, entry: Entry & { localId: number }): Promise<Imported>;
}

type RecordOf<K extends Kind> = z.output<(typeof SHAPES)[K]>;

/** Parses a record. @throws RecordProblem */
export function parseRecord<K extends Kind>(kind: K, raw: unknown): RecordOf<K> {
  const parsed = SHAPES[kind].safeParse(raw);
  if (!parsed.success) throw new RecordProblem(wrongWith(parsed.error));
  return parsed.data as RecordOf<K>;
}

/** An importer of records without files. */
export const simpleImporter =
  <K extends Kind>(kind: K, steps: Steps<RecordOf<K>>): Importer =>
  async (work, raw) => {
    const record = parseRecord(kind, raw);
    if (work.dryRun) return (await steps.find(work.database, work, record)) === null ? "created" : "existing";
    return importOnce(work, kind, record.id, async (db, entry) => {
      if (entry && entry.localId !== null) {
        const known = { ...entry, localId: entry.localId };
        return (await steps.complete?.(db, work, record, known)) ?? { outcome: "unchanged", ...known };
      }
      const found = await steps.find(db, work, record);
      if (found !== null) return { outcome: "existing", localId: found };
      return { outcome: "created", ...(await steps.create(db, work, record)) };
    });
  };

/**
 * Imports a record and updates its ledger entry, in one transaction, unless the record is complete.
 * @param run imports the record; called with its ledger entry, if any
 */
export function importOnce(
  { transact, ledger }: Work,
  kind: Kind,
  id: number,
  run: (db: Db, entry: Entry | null) => Promise<Imported>,
): Promise<Outcome> {
  return transact(async (db) => {
    const entry = await ledger.lock(db, kind, id);
    if (entry && entry.localId !== null && entry.problem === null) return "unchanged";
    const { outcome, localId, problem = null, parentId = null } = await run(db, entry);
    await ledger.save(db, kind, id, { localId, problem, parentId });
    return outcome;
  });
}

/** Lets a service join an open transaction: `commitWith` doesn't commit. */
export const within =
  (db: Db): Transact =>
  (work) =>
    work(
      withStatements<Pick<Transaction, keyof Executor | "commitWith">>(db, {
        query: (statement) => db.query(statement),
        execute: (statement) => db.execute(statement),
        commitWith: (statement) => db.query(statement),
      }),
    );

export function timesOf(record: { created_at?: Date | null; updated_at?: Date | null }): {
  created: Date;
  updated: Date;
} {
  const created = record.created_at ?? record.updated_at ?? new Date();
  const updated = record.updated_at ?? created;
  return { created, updated: updated < created ? created : updated };
}

/** The reason of an error of a record, its file or site, for the report. */
export function reasonOf(error: unknown): string {
  if (error instanceof RecordProblem) return error.message;
  const { status, reason } = toBoardError(error);
  return status < 500 ? reason : `could not be imported (${lastLine(error)})`;
}

/** The message of an error of the database, disk or storage, which would affect all records; null for other errors. */
export function localFault(error: unknown): string | null {
  if (error instanceof RecordProblem || error instanceof ImportError) return null; // whatever their texts quote
  const { key, cause } = toBoardError(error);
  if (key !== "overloaded" && key !== "storage_unavailable") return null;
  return `The database, disk or storage is unavailable (${lastLine(cause ?? error)}); try again later.`;
}

/** Prisma's messages have the reason in their last line. */
function lastLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().split("\n").at(-1)?.trim() ?? "";
}
