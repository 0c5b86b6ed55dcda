/** Imports one record: checks it, finds or creates it, and stores its ledger entry, in one transaction. */
import type { z } from "zod";
import type { SignedIn } from "../../runtime/auth/viewer.js";
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import type { Database, Db, Executor, Transaction } from "../../database/client.js";
import { withStatements } from "../../database/database.js";
import type { Transact } from "../../database/transaction.js";
import { toBoardError } from "../../database/faults.js";
import type { MediaIntake } from "../../resources/uploads/media-intake.js";
import type { FileFetcher } from "./post-file.js";
import type { Kind } from "./kinds.js";
import type { Entry, Ledger } from "./ledger.js";
import { wrongWith } from "./records.js";

/** What the import of every record needs. */
export interface Work {
  database: Database;
  transact: Transact;
  config: Config;
  intake: MediaIntake;
  ledger: Ledger;
  files: FileFetcher;
  /** the owner of the records, with all rights, since it is run from the board's shell */
  context: RequestContext & { viewer: SignedIn };
  /** what the source is called where everybody reads of it */
  origin: string;
  /** posts get the numbers that they have there */
  keepIds: boolean;
  /** nothing is written or downloaded */
  dryRun: boolean;
  /** Reports something that was left out of an imported record. */
  remark(kind: Kind, id: number, remark: string): void;
}

/** `existing`: it was here before and was left as it is; `completed`: it was here, and what was missing of it has come. */
export type Outcome = "created" | "existing" | "completed" | "unchanged";

/** The result of a record, and its ledger entry. */
export interface Brought {
  outcome: Outcome;
  localId: number;
  /** what is missing of it yet */
  problem?: string | null;
  parentId?: number | null;
}

/** How the records of a kind are brought. */
export interface Importer {
  kind: Kind;
  /** @throws BoardError, RecordProblem for what is wrong with the record, the file or the site */
  bring(work: Work, raw: unknown): Promise<Outcome>;
}

/** What is wrong with a record, in a sentence. */
export class RecordProblem extends Error {
  override name = "RecordProblem";
}

interface Steps<R> {
  /** The record of ours that it is, if it is here already. */
  find(db: Db, work: Work, record: R): Promise<number | null>;
  /** Makes it, through the services, in the transaction. */
  create(db: Db, work: Work, record: R): Promise<Omit<Brought, "outcome"> & { outcome?: Outcome }>;
  /** Tries to add what was missing of one that was brought before. */
  complete?(db: Db, work: Work, record: R, entry: Entry & { localId: number }): Promise<Brought>;
}

/** Checks the shape of a record. @throws RecordProblem */
export function shaped<R>(shape: z.ZodType<R>, raw: unknown): R {
  const parsed = shape.safeParse(raw);
  if (!parsed.success) throw new RecordProblem(wrongWith(parsed.error));
  return parsed.data;
}

/** An importer of records that need nothing but the database. */
export const simpleImporter = <R extends { id: number }>(
  kind: Kind,
  shape: z.ZodType<R>,
  steps: Steps<R>,
): Importer => ({
  kind,
  async bring(work, raw) {
    const record = shaped(shape, raw);
    if (work.dryRun) return (await steps.find(work.database, work, record)) === null ? "created" : "existing";
    return once(work, kind, record.id, async (db, entry) => {
      if (entry && entry.localId !== null) {
        const known = { ...entry, localId: entry.localId };
        return (await steps.complete?.(db, work, record, known)) ?? { outcome: "unchanged", ...known };
      }
      const found = await steps.find(db, work, record);
      if (found !== null) return { outcome: "existing", localId: found };
      return { outcome: "created", ...(await steps.create(db, work, record)) };
    });
  },
});

/**
 * Brings a record and remembers it, in one transaction, unless it was brought meanwhile.
 * @param work gets what is remembered of the record so far
 */
export function once(
  { transact, ledger }: Work,
  kind: Kind,
  id: number,
  bring: (db: Db, entry: Entry | null) => Promise<Brought>,
): Promise<Outcome> {
  return transact(async (db) => {
    const entry = await ledger.lock(db, kind, id);
    if (entry && entry.localId !== null && entry.problem === null) return "unchanged";
    const { outcome, localId, problem = null, parentId = null } = await bring(db, entry);
    await ledger.remember(db, kind, id, { localId, problem, parentId });
    return outcome;
  });
}

/** Has a service take part in a transaction that is under way, which ends later. */
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

/** Gives a record the times that it has there. */
export function timesOf(record: { created_at?: Date | null; updated_at?: Date | null }): {
  created: Date;
  updated: Date;
} {
  const created = record.created_at ?? record.updated_at ?? new Date();
  const updated = record.updated_at ?? created;
  return { created, updated: updated < created ? created : updated };
}

/** What is wrong with a record, or with the file or site that it names. */
export function reasonOf(error: unknown): string {
  if (error instanceof RecordProblem) return error.message;
  const { status, reason } = toBoardError(error);
  return status < 500 ? reason : `could not be brought (${lastLine(error)})`;
}

/** Database, disk or storage can't do their work: no fault of the record's. Null for anything else. */
export function ownTrouble(error: unknown): string | null {
  const { key, cause } = toBoardError(error);
  if (key !== "overloaded" && key !== "storage_away") return null;
  return `Database, disk or storage can't do their work (${lastLine(cause ?? error)}); try again later.`;
}

/** Prisma's messages say at their end what was wrong. */
function lastLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().split("\n").at(-1)?.trim() ?? "";
}
