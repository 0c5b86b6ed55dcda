/** The report of an import, printed as one line of JSON. */
import type { Outcome } from "./importer.js";
import type { Kind } from "./source.js";

/** The numbers of records of a kind by outcome. */
export interface Tally {
  created: number;
  /** existed before, unchanged */
  existing: number;
  /** existed before, and a missing part was added */
  completed: number;
  /** not imported; retried by the next run */
  failed: number;
}

const REMARKS = 1_000;

export class Report {
  /** in the order of their import */
  readonly kinds: Partial<Record<Kind, Tally>> = {};
  /** posts that were linked to a parent imported after them */
  parents = 0;
  /** posts whose parents have not been imported */
  parentsMissing = 0;
  /** why the import ended early */
  stopped: string | null = null;
  private readonly remarks: { kind: Kind; id: number | null; reason: string }[] = [];
  private remarkCount = 0;

  constructor(
    private readonly source: string,
    private readonly dryRun: boolean,
  ) {}

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

  /** The number of records that could not be imported. */
  get failed(): number {
    return Object.values(this.kinds).reduce((sum, { failed }) => sum + failed, 0);
  }

  toJSON(): object {
    const { source, dryRun, kinds, parents, parentsMissing, stopped, remarks, remarkCount } = this;
    return { source, dryRun, ...kinds, parents, parentsMissing, stopped, remarkCount, remarks };
  }
}
