/** Imports the records of one kind, one by one; an invalid one is reported and skipped. */
import type { Progress } from "../../lib/progress.js";
import { type Importer, ownTrouble, reasonOf, type Work } from "./importer.js";
import { idOf } from "./records.js";
import type { Report } from "./report.js";
import { ImportError, Interrupted, type Source } from "./source.js";

/** What it is run with. */
export interface KindRunParts {
  work: Work;
  source: Source;
  report: Report;
  /** aborted to stop after the current record */
  signal: AbortSignal;
  /** most records to try */
  limit?: number | undefined;
  onProgress?: Progress | undefined;
}

/** Records that are asked for again at once. */
const AGAIN = 100;

/** One walk through the records of a kind. */
export class KindRun {
  private tried = 0;

  constructor(
    private readonly importer: Importer,
    private readonly parts: KindRunParts,
  ) {}

  /** @throws ImportError when source or database fail, Interrupted when the wish to end came */
  async run(): Promise<void> {
    const { report, source } = this.parts;
    report.of(this.kind);
    if (source.isSeekable) await this.tryAgain();
    if (!this.isOver) await this.goOn();
  }

  private get kind() {
    return this.importer.kind;
  }

  /** The records that earlier runs could not import. Those in a dump are read anyway. */
  private async tryAgain(): Promise<void> {
    const { source, work } = this.parts;
    for (let after = 0; !this.isOver;) {
      const ids = await work.ledger.open(this.kind, after, AGAIN);
      if (ids.length === 0) return;
      await this.bringAll(await source.byIds(this.kind, ids));
      after = ids.at(-1) ?? after;
    }
  }

  private async goOn(): Promise<void> {
    const { source, work, onProgress } = this.parts;
    const after = source.isSeekable ? await work.ledger.cursor(this.kind) : 0;
    let before = after;
    for await (const { records, done, total } of source.batches(this.kind, after)) {
      const show = (part: number) => onProgress?.(`importing ${this.kind}`, before + (done - before) * part, total);
      const last = await this.bringAll(records, show);
      before = done;
      if (source.isSeekable && !work.dryRun && last !== null) await work.ledger.advance(this.kind, last);
      if (this.isOver) return;
    }
  }

  private get isOver(): boolean {
    return this.parts.signal.aborted || this.tried >= (this.parts.limit ?? Infinity);
  }

  /**
   * @param show called with the completed share
   * @returns the number of the last record that is done with; null when none is
   */
  private async bringAll(records: readonly unknown[], show?: (part: number) => void): Promise<number | null> {
    const { work } = this.parts;
    const ids = records.map(idOf).filter((id) => id !== null);
    const done = await work.ledger.done(this.kind, ids);
    let last: number | null = null;
    for (const [index, record] of records.entries()) {
      show?.(index / records.length);
      if (this.isOver) return last;
      const id = idOf(record);
      if (id === null) this.fail(null, "record: is no object with an id");
      else if (!done.has(id) && !(await this.bring(id, record))) return last;
      last = id ?? last;
    }
    return last;
  }

  /** @returns false when it was given up for the sake of ending */
  private async bring(id: number, record: unknown): Promise<boolean> {
    const { work, report, signal } = this.parts;
    this.tried += 1;
    try {
      report.count(this.kind, await this.importer.bring(work, record));
    } catch (error) {
      if (error instanceof Interrupted && signal.aborted) return false;
      const reason = this.reasonOf(error);
      this.fail(id, reason);
      if (!work.dryRun) await work.ledger.rememberProblem(this.kind, id, reason);
    }
    return true;
  }

  private fail(id: number | null, reason: string): void {
    this.parts.report.fail(this.kind, id, reason);
  }

  /** What is wrong with the record. @throws ImportError for what would meet every other record too */
  private reasonOf(error: unknown): string {
    const trouble = ownTrouble(error);
    if (trouble !== null) throw new ImportError(trouble, { cause: error });
    if (error instanceof ImportError) throw error;
    return reasonOf(error);
  }
}
