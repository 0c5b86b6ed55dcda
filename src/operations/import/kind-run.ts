/** Imports the records of one kind, one by one; an invalid one is reported and skipped. */
import { inBatches } from "../../lib/in-batches.js";
import type { Progress } from "../../lib/progress.js";
import { type Importer, localFault, reasonOf, type Work } from "./importer.js";
import { FileUnavailable } from "./post-file.js";
import { idOf } from "./records.js";
import type { Report } from "./report.js";
import { ImportError, Interrupted, type Kind, type Source } from "./source.js";

export interface KindRunParts {
  work: Work;
  source: Source;
  report: Report;
  signal: AbortSignal;
  limit?: number | undefined;
  onProgress?: Progress | undefined;
}

/** Failed records that are requested together. */
const RETRY_BATCH = 100;

/** Number of records in a row whose files the site did not send, after which the retries end, or, if they are new, the import. */
const MAX_UNAVAILABLE = 10;

export class KindRun {
  private tried = 0;
  private isRetrying = false;
  /** records in a row whose files the site did not send */
  private unavailable = 0;

  constructor(
    private readonly kind: Kind,
    private readonly importRecord: Importer,
    private readonly parts: KindRunParts,
  ) {}

  /** @throws ImportError if the source or database fails, Interrupted after a signal */
  async run(): Promise<void> {
    const { report, source } = this.parts;
    report.of(this.kind);
    if (source.isSeekable) await this.retryFailed();
    if (!this.isOver) await this.importNew();
  }

  /** Retries records that earlier runs could not import. A dump is read from its beginning anyway. */
  private async retryFailed(): Promise<void> {
    const { source, work } = this.parts;
    this.isRetrying = true;
    for await (const failed of inBatches((after) => work.ledger.failed(this.kind, after, RETRY_BATCH))) {
      if (this.isOver) break;
      const ids = failed.map(({ id }) => id);
      await this.importAll(await source.byIds(this.kind, ids));
    }
    this.isRetrying = false;
    this.unavailable = 0;
  }

  private async importNew(): Promise<void> {
    const { source, work, onProgress } = this.parts;
    const after = source.isSeekable ? await work.ledger.cursor(this.kind) : 0;
    let before = after;
    for await (const { records, done, total } of source.batches(this.kind, after)) {
      const show = (part: number) => onProgress?.(`importing ${this.kind}`, before + (done - before) * part, total);
      const last = await this.importAll(records, show);
      before = done;
      if (source.isSeekable && !work.dryRun && last !== null) await work.ledger.advance(this.kind, last);
      if (this.isOver) return;
    }
  }

  private get isOver(): boolean {
    const { signal, limit = Infinity } = this.parts;
    return signal.aborted || this.tried >= limit || (this.isRetrying && this.unavailable >= MAX_UNAVAILABLE);
  }

  /** @param show called with the completed share @returns the id of the last processed record; null if there is none */
  private async importAll(records: readonly unknown[], show?: (part: number) => void): Promise<number | null> {
    const { work, report } = this.parts;
    const ids = records.map(idOf).filter((id) => id !== null);
    const known = await work.ledger.known(this.kind, ids);
    let last: number | null = null;
    for (const [index, record] of records.entries()) {
      show?.(index / records.length);
      if (this.isOver) return last;
      const id = idOf(record);
      if (id === null) report.fail(this.kind, null, "record: is not an object with an id");
      else if (known.get(id) !== true && !(await this.importOne(id, record, !known.has(id)))) return last;
      last = id ?? last;
    }
    return last;
  }

  /** @param isNew whether no earlier run tried it @returns false if it was interrupted */
  private async importOne(id: number, record: unknown, isNew: boolean): Promise<boolean> {
    const { work, report, signal } = this.parts;
    if (isNew) this.tried += 1;
    try {
      report.count(this.kind, await this.importRecord(work, record));
      this.unavailable = 0;
    } catch (error) {
      if (error instanceof Interrupted && signal.aborted) return false;
      const reason = this.reasonOf(error);
      report.fail(this.kind, id, reason);
      if (!work.dryRun) await work.ledger.saveProblem(this.kind, id, reason);
      if (!(error instanceof FileUnavailable)) this.unavailable = 0;
      else if (isNew || this.isRetrying) this.countUnavailable(error);
    }
    return true;
  }

  /** Those that earlier runs tried don't end the import, so that the next run goes further. @throws ImportError */
  private countUnavailable({ answer }: FileUnavailable): void {
    this.unavailable += 1;
    if (this.isRetrying || this.unavailable < MAX_UNAVAILABLE) return;
    throw new ImportError(
      `${this.unavailable} files in a row could not be downloaded; the last error: ${answer}. Try again later.`,
    );
  }

  /** The reason of a record's failure. @throws ImportError for errors that would affect every record */
  private reasonOf(error: unknown): string {
    const fault = localFault(error);
    if (fault !== null) throw new ImportError(fault, { cause: error });
    if (error instanceof ImportError) throw error;
    return reasonOf(error);
  }
}
