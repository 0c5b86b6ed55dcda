/** Rows of the table: the measurement, the budget, and whether it is met. */

export interface Row {
  name: string;
  measured: number;
  /** what is measured instead on a machine that is slower by this factor, where that is not proportional to it */
  measuredAt?: (pace: number) => number;
  unit: "ms" | "MB" | "/s" | "";
  budget: number;
  /** whether more is better */
  isLeast?: boolean;
  /** the machine's own best value in the same round */
  reference?: number;
}

/** By how much timings may exceed their budgets. */
export interface Tolerance {
  /** share of the budget */
  slack: number;
  /** slowdown of the machine */
  pace: number;
}

const TIMINGS = new Set(["ms", "/s"]);

/**
 * The limit of a row. With slack, a timing has its budget at the machine's pace, and the longest frame, which adds what the machine
 * does at that moment to what the page does, the machine's own in addition; sizes have no slack.
 */
export function boundOf({ budget, unit, isLeast = false, reference }: Row, { slack, pace }: Tolerance): number {
  if (slack === 0 || !TIMINGS.has(unit)) return budget;
  if (isLeast) return Math.min(budget, reference ?? budget) * (1 - slack);
  return (budget * pace + (reference ?? 0)) * (1 + slack);
}

/** A row with the limit that it has to keep on this machine. */
export interface JudgedRow extends Row {
  bound: number;
}

export const judge = (row: Row, tolerance: Tolerance): JudgedRow => ({
  ...row,
  measured: (tolerance.slack > 0 ? row.measuredAt?.(tolerance.pace) : undefined) ?? row.measured,
  bound: boundOf(row, tolerance),
});

export const isKept = ({ measured, bound, isLeast = false }: JudgedRow): boolean =>
  isLeast ? measured >= bound : measured <= bound;

const rounded = (value: number): string => String(Number(value.toPrecision(3)));

/** The table, in Markdown. */
export function tableOf(rows: readonly JudgedRow[]): string {
  const line = (row: JudgedRow): string[] => [
    row.name,
    `${rounded(row.measured)} ${row.unit}`.trim(),
    `${row.isLeast ? "≥" : "≤"} ${row.budget} ${row.unit}`.trim(),
    rounded(row.bound),
    row.reference === undefined ? "" : `${rounded(row.reference)} ${row.unit}`.trim(),
    isKept(row) ? "" : "over",
  ];
  const head = "| | measured | budget | limit here | the same pictures alone | |\n|---|---|---|---|---|---|\n";
  return head + rows.map((row) => `| ${line(row).join(" | ")} |\n`).join("");
}
