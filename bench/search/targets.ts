/** The limits of a run with a million posts, and whether they were met. Pure functions of the figures. */
import { DEEP_PAGE } from "./answers.js";
import { LIMITS, type Outcome, type SearchOutcome, type WritesOutcome } from "./outcome.js";
import { geometricMean } from "./statistics.js";

export interface Verdict {
  target: string;
  measured: number;
  bound: number;
  /** description of the limit */
  kind: "at most" | "at least" | "under";
  unit: string;
  /** details, such as the decisive search */
  detail: string;
  held: boolean;
  /** percentage by which the limit was exceeded; 0 if it was met */
  missedBy: number;
}

type Figure = Omit<Verdict, "held" | "missedBy" | "detail"> & { detail?: string };

export function judge({ detail = "", ...figure }: Figure): Verdict {
  const { measured, bound, kind } = figure;
  const held = kind === "at least" ? measured >= bound : kind === "under" ? measured < bound : measured <= bound;
  const off = kind === "at least" ? 1 - measured / bound : measured / bound - 1;
  // a limit of zero is exceeded by the value itself
  const parts = bound === 0 ? measured : off;
  return { ...figure, detail, held, missedBy: held ? 0 : parts * 100 };
}

/** Limits that depend on the number of posts: milliseconds of a search by its page size and of a count, and MB. */
const BY_SIZE = [
  { from: 10_000_000, search: { 20: 8, 100: 12 }, count: 10, memory: 500 },
  { from: 0, search: { 20: 5, 100: 8 }, count: 3, memory: 400 },
] as const;

type BySize = (typeof BY_SIZE)[number];
const boundsOf = (posts: number): BySize => BY_SIZE.find(({ from }) => posts >= from) ?? BY_SIZE[1];

/** All limits with figures in this run, in the order of docs/performance.md. */
export function verdicts(outcome: Outcome): Verdict[] {
  const bounds = boundsOf(outcome.posts);
  return [
    ...LIMITS.map((limit) => slowest(outcome, limit, bounds)),
    ...comparison(outcome),
    ...growth(outcome),
    ...counts(outcome, bounds),
    ...answers(outcome),
    throughput(outcome),
    ...memory(outcome, bounds),
    ...(outcome.writes ? ofWrites(outcome.writes) : []),
  ];
}

function ofWrites(writes: WritesOutcome): Verdict[] {
  const { edit, parallel } = writes;
  return [
    judge({ target: "edit of tags, p50", measured: edit.p50, bound: 8, kind: "under", unit: "ms" }),
    judge({
      target: "16 writers: counts that are wrong",
      measured: parallel.wrongCounts.length,
      bound: 0,
      kind: "at most",
      unit: "",
      detail: parallel.wrongCounts.slice(0, 3).join(" "),
    }),
    judge({ target: "16 writers: deadlocks", measured: parallel.deadlocks, bound: 0, kind: "at most", unit: "" }),
    alias(writes),
  ];
}

type Limit = (typeof LIMITS)[number];

const p50 = (search: SearchOutcome, limit: Limit): number => search.figures[limit][1].p50;

/** The largest figure and its name. */
const worst = <T>(rows: readonly T[], figure: (row: T) => number): { row: T; figure: number } =>
  rows
    .map((row) => ({ row, figure: figure(row) }))
    .reduce((worse, next) => (next.figure > worse.figure ? next : worse));

const MOST_NAMED = 7;

/** The figures over a limit, the largest first. */
const over = (rows: readonly { name: string; figure: number }[], bound: number): string =>
  rows
    .filter(({ figure }) => figure > bound)
    .sort((one, other) => other.figure - one.figure)
    .map(({ name, figure }) => `${name} ${figure.toFixed(1)}`)
    .slice(0, MOST_NAMED)
    .join("; ");

function slowest(outcome: Outcome, limit: Limit, bounds: BySize): Verdict {
  const bound = bounds.search[limit];
  const rows = outcome.searches.map((search) => ({ name: search.name, figure: p50(search, limit) }));
  const { row, figure } = worst(rows, (each) => each.figure);
  const detail = over(rows, bound) || row.name;
  return judge({
    target: `slowest search, p50, limit=${limit}`,
    measured: figure,
    bound,
    kind: "at most",
    unit: "ms",
    detail,
  });
}

function comparison({ searches }: Outcome): Verdict[] {
  const ratios = searches.flatMap(({ name, ours, theirs }) => (theirs === null ? [] : { name, figure: ours / theirs }));
  if (ratios.length === 0) return [];
  const { row, figure } = worst(ratios, (each) => each.figure);
  return [
    judge({
      target: "faster in the database than the other layout, geometric mean",
      measured: 1 / geometricMean(ratios.map((each) => each.figure)),
      bound: 10,
      kind: "at least",
      unit: "x",
    }),
    judge({
      target: "slowest to the other layout",
      measured: figure,
      bound: 1.5,
      kind: "at most",
      unit: "x",
      detail: over(ratios, 1.5) || row.name,
    }),
  ];
}

/** Only searches of both boards: the smaller one lacks tags of the highest count. */
function growth({ posts, searches, small }: Outcome): Verdict[] {
  const ratios = searches.flatMap((search) => {
    const before = small?.p50[search.name];
    return before === undefined ? [] : [{ name: search.name, ratio: p50(search, 20) / before }];
  });
  if (!small || ratios.length === 0) return [];
  const { row } = worst(ratios, ({ ratio }) => ratio);
  const verdict = judge({
    target: `p50 at ${posts} posts to ${small.posts}, geometric mean`,
    measured: geometricMean(ratios.map(({ ratio }) => ratio)),
    bound: 1.3,
    kind: "at most",
    unit: "x",
    detail: `most: ${row.name}, ${row.ratio.toFixed(1)}`,
  });
  return [verdict];
}

const counts = ({ counts: { p50: measured, estimates } }: Outcome, bounds: BySize): Verdict[] => [
  judge({ target: "count of any two tags, p50", measured, bound: bounds.count, kind: "at most", unit: "ms" }),
  judge({ target: "counts of two tags that are estimates", measured: estimates, bound: 0, kind: "at most", unit: "%" }),
];

/** Our whole responses compared with the query of the other layout. */
function answers({ answers: kinds }: Outcome): Verdict[] {
  if (!kinds || kinds.length === 0) return [];
  const least = (target: string, ratios: readonly { name: string; figure: number }[]): Verdict => {
    const slower = ratios.filter(({ figure }) => figure < 1).map(({ name, figure }) => `${name} ${figure.toFixed(2)}`);
    const measured = geometricMean(ratios.map(({ figure }) => figure));
    return judge({ target, measured, bound: 1, kind: "at least", unit: "x", detail: slower.join("; ") });
  };
  const deep = kinds.find(({ name }) => name === DEEP_PAGE);
  return [
    least(
      "a whole answer to their query alone, p50, geometric mean",
      kinds.map(({ name, ours, theirs }) => ({ name, figure: theirs.p50 / ours.p50 })),
    ),
    least(
      "a whole answer to their query alone, requests/s, geometric mean",
      kinds.map(({ name, ours, theirs }) => ({ name, figure: ours.perSecond / theirs.perSecond })),
    ),
    ...(deep
      ? [judge({ target: `${DEEP_PAGE}, p50`, measured: deep.ours.p50, bound: 5, kind: "at most", unit: "ms" })]
      : []),
  ];
}

function throughput({ throughput: { ours, bare } }: Outcome): Verdict {
  const detail = `${ours.toFixed(0)} of ${bare.toFixed(0)} requests/s; the aim is 25 %`;
  return judge({
    target: "requests/s of a bare server, 16 connections",
    measured: (ours / bare) * 100,
    bound: 15,
    kind: "at least",
    unit: "%",
    detail,
  });
}

const memory = (outcome: Outcome, bounds: BySize): Verdict[] =>
  outcome.memory === null
    ? []
    : [
        judge({
          target: "resident memory after the run",
          measured: outcome.memory,
          bound: bounds.memory,
          kind: "under",
          unit: "MB",
        }),
      ];

function alias({ alias: { posts, done, seconds, searches } }: WritesOutcome): Verdict {
  const { row, figure } = worst(searches, ({ before, meanwhile }) => meanwhile / before);
  const detail = `${row.name}; ${done} of ${posts} posts in ${seconds.toFixed(0)} s`;
  return judge({
    target: "p50 while an alias is applied",
    measured: figure,
    bound: 2,
    kind: "at most",
    unit: "x",
    detail,
  });
}
