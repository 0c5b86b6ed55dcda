/** The tables that a run prints. */
import type { Verdict } from "./targets.js";
import type { AnswerFigures } from "./answers.js";
import type { CountFigures } from "./counts.js";
import { CONNECTIONS, LIMITS, type Outcome, type SearchOutcome, type WritesOutcome } from "./outcome.js";
import { PATIENCE } from "./other-board.js";
import { NO_TAGS } from "./set.js";

/** The cells of a table. */
export type Cell = string | number;

/** Numbers are right-aligned and have three significant digits; text is left-aligned. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(cell))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const isText = head.map((_, column) => rows.some((row) => typeof row[column] === "string"));
  const write = (line: readonly string[]) =>
    line
      .map((text, column) => (isText[column] ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return lines.map(write).join("\n");
}

function cell(value: Cell): string {
  if (typeof value === "string") return value;
  if (Number.isNaN(value)) return "-";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** One line per search with one limit: p50, p99 and requests per second by connections, and the ratio to a search without tags. */
export function searchTable({ searches }: Outcome, limit: (typeof LIMITS)[number]): string {
  const base = searches.find(({ name }) => name === NO_TAGS)?.figures[limit][1].p50 ?? Number.NaN;
  const head = [
    "search",
    ...CONNECTIONS.flatMap((count) => [`p50 @${count}`, `p99 @${count}`, `req/s @${count}`]),
    "to no tags",
  ];
  const rows = searches.map(({ name, figures }) => [
    name,
    ...CONNECTIONS.flatMap((count) => {
      const { p50, p99, requestsPerSecond } = figures[limit][count];
      return [p50, p99, requestsPerSecond];
    }),
    figures[limit][1].p50 / base,
  ]);
  return table(head, rows);
}

/** One line per search: the time in the database in both layouts, and its growth. */
export function databaseTable({ searches, small, posts }: Outcome): string {
  const head = [
    "search",
    "ours, ms",
    "theirs, ms",
    "theirs/ours",
    `p50 @${posts}`,
    `p50 @${small?.posts ?? "-"}`,
    "growth",
    "",
  ];
  const row = (search: SearchOutcome): Cell[] => {
    const { name, ours, timedOut } = search;
    const theirs = search.theirs ?? Number.NaN;
    const now = search.figures[20][1].p50;
    const before = small?.p50[name] ?? Number.NaN;
    const note = timedOut ? `theirs given up after ${PATIENCE / 1000} s` : "";
    return [name, ours, theirs, theirs / ours, now, before, now / before, note];
  };
  return table(head, searches.map(row));
}

/** One line per kind of searches without repetition. */
export function answersTable(answers: readonly AnswerFigures[]): string {
  const head = [
    "whole answers, each other ones",
    "p50, ms",
    "theirs",
    "theirs/ours",
    "req/s @16",
    "theirs",
    "ours/theirs",
  ];
  const rows = answers.map(({ name, ours, theirs }): Cell[] => [
    name,
    ours.p50,
    theirs.p50,
    theirs.p50 / ours.p50,
    ours.perSecond,
    theirs.perSecond,
    ours.perSecond / theirs.perSecond,
  ]);
  return table(head, rows);
}

const countsLine = ({ p50, p99, pairs, estimates }: CountFigures): string =>
  `counts of two tags: p50 ${cell(p50)} ms, p99 ${cell(p99)} ms (${pairs} pairs); ${estimates} of 100 others estimated`;

/** The times of writes. */
export function writesTable({ edit, parallel, alias }: WritesOutcome): string {
  return [
    `edit of tags: p50 ${cell(edit.p50)} ms, p99 ${cell(edit.p99)} ms (${edit.edits} edits)`,
    `16 writers: ${parallel.edits} edits, p50 ${cell(parallel.p50)} ms, ${cell(parallel.editsPerSecond)} a second; ` +
      `${parallel.wrongCounts.length} wrong counts, ${parallel.deadlocks} deadlocks`,
    `alias of a tag on ${alias.posts} posts: ${alias.done} retagged in ${cell(alias.seconds)} s`,
    table(
      ["  meanwhile", "p50 before", "p50 meanwhile", "ratio"],
      alias.searches.map(({ name, before, meanwhile }) => [`  ${name}`, before, meanwhile, meanwhile / before]),
    ),
  ].join("\n");
}

/** One line per limit. */
export const verdictTable = (verdicts: readonly Verdict[]): string =>
  table(
    ["target", "measured", "", "bound", "verdict", "detail"],
    verdicts.map(({ target, measured, bound, kind, unit, held, missedBy, detail }) => [
      target,
      measured,
      unit,
      `${kind} ${bound} ${unit}`.trimEnd(),
      held ? "held" : `MISSED by ${missedBy.toFixed(0)} %`,
      detail,
    ]),
  );

/** All measurements, with the limits if there are any. */
export const report = (outcome: Outcome, verdicts: readonly Verdict[]): string =>
  [
    `${outcome.posts} posts, ${outcome.machine}`,
    ...LIMITS.map((limit) => `limit=${limit}\n\n${searchTable(outcome, limit)}`),
    `In the database: all statements of a request together, and the other layout's one\n\n${databaseTable(outcome)}`,
    countsLine(outcome.counts),
    ...(outcome.answers ? [answersTable(outcome.answers)] : []),
    ...(outcome.writes ? [writesTable(outcome.writes)] : []),
    ...(verdicts.length > 0 ? [verdictTable(verdicts)] : []),
  ].join("\n\n");
