/** What an import has done, for its one line of result. */
import type { Outcome } from "./importer.js";
import { type Kind, KINDS } from "./kinds.js";

/** How many records of a kind fared how. */
export interface Tally {
  created: number;
  /** here before: left as they are */
  existing: number;
  /** here before, and more complete since this run */
  completed: number;
  /** not brought; tried again by the next run */
  failed: number;
}

/** What an administrator should know of a record. */
export interface Remark {
  kind: Kind;
  /** null for what has no number */
  id: number | null;
  reason: string;
}

/** Most remarks in a report: it is one line. */
const REMARKS = 1_000;

/** Counts and remarks, gathered while the import runs. */
export class Report {
  readonly kinds: Partial<Record<Kind, Tally>> = {};
  /** posts that got a parent which came after them */
  parents = 0;
  /** posts whose parents have not come yet */
  parentsMissing = 0;
  /** why it ended before its end */
  stopped: string | null = null;
  private readonly remarks: Remark[] = [];
  private remarkCount = 0;

  constructor(
    private readonly source: string,
    private readonly dryRun: boolean,
  ) {}

  /** The counts of a kind, added to the report on first use. */
  of(kind: Kind): Tally {
    return (this.kinds[kind] ??= { created: 0, existing: 0, completed: 0, failed: 0 });
  }

  count(kind: Kind, outcome: Outcome): void {
    if (outcome !== "unchanged") this.of(kind)[outcome] += 1;
  }

  fail(kind: Kind, id: number | null, reason: string): void {
    this.of(kind).failed += 1;
    this.remark(kind, id, reason);
  }

  remark(kind: Kind, id: number | null, reason: string): void {
    this.remarkCount += 1;
    if (this.remarks.length < REMARKS) this.remarks.push({ kind, id, reason: reason.slice(0, 500) });
  }

  /** How many records could not be brought. */
  get failed(): number {
    return Object.values(this.kinds).reduce((sum, { failed }) => sum + failed, 0);
  }

  toJSON(): object {
    const { source, dryRun, parents, parentsMissing, stopped, remarks, remarkCount } = this;
    const kinds = Object.fromEntries(KINDS.flatMap((kind) => (this.kinds[kind] ? [[kind, this.kinds[kind]]] : [])));
    return { source, dryRun, ...kinds, parents, parentsMissing, stopped, remarkCount, remarks };
  }
}
