/** The bars of a run at a million posts, and whether they were held. Pure: figures in, verdicts out. */
import { LIMITS, type Outcome, type SearchOutcome } from "./outcome.js";
import { APART, NO_TAGS } from "./set.js";
import { geometricMean } from "./statistics.js";

export interface Verdict {
  bar: string;
  measured: number;
  bound: number;
  /** what the bound is */
  kind: "at most" | "at least" | "under";
  unit: string;
  /** by which search it was decided, and the like */
  detail: string;
  held: boolean;
  /** by how many of a hundred parts of the bound it was missed; 0 when held */
  missedBy: number;
}

type Figure = Omit<Verdict, "held" | "missedBy" | "detail"> & { detail?: string };

export function judge({ detail = "", ...figure }: Figure): Verdict {
  const { measured, bound, kind } = figure;
  const held = kind === "at least" ? measured >= bound : kind === "under" ? measured < bound : measured <= bound;
  const off = kind === "at least" ? 1 - measured / bound : measured / bound - 1;
  // a bound of nothing is missed by what there is
  const parts = bound === 0 ? measured : off;
  return { ...figure, detail, held, missedBy: held ? 0 : parts * 100 };
}

/** All bars, in the order in which they are listed in docs/performance.md. */
export function verdicts(outcome: Outcome): Verdict[] {
  const { writes } = outcome;
  return [
    ...LIMITS.map((limit) => slowest(outcome, limit)),
    ...apart(outcome),
    ...comparison(outcome),
    growth(outcome),
    throughput(outcome),
    ...memory(outcome),
    judge({ bar: "edit of tags, p50", measured: writes.edit.p50, bound: 15, kind: "under", unit: "ms" }),
    judge({
      bar: "16 writers: counts that are wrong",
      measured: writes.parallel.wrongCounts.length,
      bound: 0,
      kind: "at most",
      unit: "",
      detail: writes.parallel.wrongCounts.slice(0, 3).join(" "),
    }),
    judge({ bar: "16 writers: deadlocks", measured: writes.parallel.deadlocks, bound: 0, kind: "at most", unit: "" }),
    alias(outcome),
  ];
}

type Limit = (typeof LIMITS)[number];

const p50 = (search: SearchOutcome, limit: Limit): number => search.figures[limit][1].p50;

function named({ searches }: Outcome, name: string): SearchOutcome {
  const found = searches.find((search) => search.name === name);
  if (!found) throw new RangeError(`no search is called ${name}`);
  return found;
}

/** The greatest of some figures, and whose it is. */
const worst = <T>(rows: readonly T[], figure: (row: T) => number): { row: T; figure: number } =>
  rows
    .map((row) => ({ row, figure: figure(row) }))
    .reduce((worse, next) => (next.figure > worse.figure ? next : worse));

function slowest(outcome: Outcome, limit: Limit): Verdict {
  const base = p50(named(outcome, NO_TAGS), limit);
  const others = outcome.searches.filter(({ name }) => name !== APART);
  const { row, figure } = worst(others, (search) => p50(search, limit) / base);
  return judge({
    bar: `slowest p50 to that of no tags, limit=${limit}`,
    measured: figure,
    bound: 8,
    kind: "at most",
    unit: "x",
    detail: row.name,
  });
}

const apart = (outcome: Outcome): Verdict[] =>
  LIMITS.flatMap((limit) => {
    const time = p50(named(outcome, APART), limit);
    const bar = `${APART}, p50, limit=${limit}`;
    return [
      judge({
        bar: `${bar}, to no tags`,
        measured: time / p50(named(outcome, NO_TAGS), limit),
        bound: 60,
        kind: "at most",
        unit: "x",
      }),
      judge({ bar, measured: time, bound: 200, kind: "at most", unit: "ms" }),
    ];
  });

function comparison({ searches }: Outcome): Verdict[] {
  const { row, figure } = worst(searches, (search) => search.ours / search.theirs);
  const mean = geometricMean(searches.map((search) => search.theirs / search.ours));
  return [
    judge({
      bar: "quicker in the database than the other shape, geometric mean",
      measured: mean,
      bound: 5,
      kind: "at least",
      unit: "x",
    }),
    judge({
      bar: "slowest to the other shape",
      measured: figure,
      bound: 1.5,
      kind: "at most",
      unit: "x",
      detail: row.name,
    }),
  ];
}

/** Of the searches that both boards have: the commonest decade of tags is the greater board's alone. */
function growth({ posts, searches, small }: Outcome): Verdict {
  const ratios = searches.flatMap((search) => {
    const before = small.p50[search.name];
    return before === undefined ? [] : [{ name: search.name, ratio: p50(search, 20) / before }];
  });
  const { row } = worst(ratios, ({ ratio }) => ratio);
  return judge({
    bar: `p50 at ${posts} posts to ${small.posts}, geometric mean`,
    measured: geometricMean(ratios.map(({ ratio }) => ratio)),
    bound: 1.5,
    kind: "at most",
    unit: "x",
    detail: `most: ${row.name}, ${row.ratio.toFixed(1)}`,
  });
}

function throughput({ throughput: { ours, bare } }: Outcome): Verdict {
  const detail = `${ours.toFixed(0)} of ${bare.toFixed(0)} requests/s; the aim is 25 %`;
  return judge({
    bar: "requests/s of a bare server, 16 connections",
    measured: (ours / bare) * 100,
    bound: 15,
    kind: "at least",
    unit: "%",
    detail,
  });
}

const memory = (outcome: Outcome): Verdict[] =>
  outcome.memory === null
    ? []
    : [
        judge({
          bar: "resident memory after the run",
          measured: outcome.memory,
          bound: 400,
          kind: "under",
          unit: "MB",
        }),
      ];

function alias({ writes }: Outcome): Verdict {
  const { posts, done, seconds, searches } = writes.alias;
  const { row, figure } = worst(searches, ({ before, meanwhile }) => meanwhile / before);
  const detail = `${row.name}; ${done} of ${posts} posts in ${seconds.toFixed(0)} s`;
  return judge({
    bar: "p50 while an alias is applied",
    measured: figure,
    bound: 2,
    kind: "at most",
    unit: "x",
    detail,
  });
}
