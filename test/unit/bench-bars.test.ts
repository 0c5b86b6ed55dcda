/** The benchmark's verdicts: which figures each bar looks at, and where it lies. */
import { describe, expect, it } from "vitest";
import { type Verdict, verdicts } from "../../bench/search/bars.js";
import type { Figures } from "../../bench/search/load/driver.js";
import type { FiguresByLoad, Outcome, SearchOutcome } from "../../bench/search/outcome.js";
import { APART, NO_TAGS } from "../../bench/search/set.js";

const figures = (p50: number): Figures => ({
  p50,
  p99: 1000,
  requestsPerSecond: 1,
  requests: 1,
  database: 1,
  bytes: 1,
});

/** Only the p50 of one connection is judged. */
const byLoad = (at20: number, at100: number): FiguresByLoad => ({
  20: { 1: figures(at20), 16: figures(999) },
  100: { 1: figures(at100), 16: figures(999) },
});

const search = (name: string, at20: number, at100: number, ours: number, theirs: number): SearchOutcome => ({
  name,
  tags: name,
  figures: byLoad(at20, at100),
  ours,
  theirs,
  timedOut: false,
});

/** Every figure exactly on its bar, or just within it. */
const onTheBars = (): Outcome => ({
  posts: 1_000_000,
  date: "2026-01-01T00:00:00.000Z",
  machine: "",
  settings: {},
  failures: [],
  searches: [search(NO_TAGS, 3, 10, 1.5, 1), search("slowest", 24, 80, 1, 125), search(APART, 180, 200, 1, 1.5)],
  small: { posts: 100_000, p50: { [NO_TAGS]: 2, slowest: 20, [APART]: 150 } },
  throughput: { ours: 1500, bare: 10_000 },
  memory: 399.9,
  writes: {
    edit: { p50: 14.9, p99: 99, edits: 50 },
    parallel: { edits: 50, p50: 99, editsPerSecond: 9, wrongCounts: [], deadlocks: 0 },
    alias: { posts: 100_000, done: 500, seconds: 10, searches: [{ name: NO_TAGS, before: 3, meanwhile: 6 }] },
  },
});

const judged = (change: (outcome: Outcome) => void = () => undefined): Verdict[] => {
  const outcome = onTheBars();
  change(outcome);
  return verdicts(outcome);
};

/** The missed bars with what was measured, the bound, and by how many of a hundred they were missed. */
const missed = (change: (outcome: Outcome) => void): [string, number, number, number][] =>
  judged(change)
    .filter(({ held }) => !held)
    .map(({ bar, measured, bound, missedBy }) => [bar, round(measured), bound, round(missedBy)]);

const round = (value: number): number => Math.round(value * 100) / 100;

const change = (outcome: Outcome, name: string, values: Partial<SearchOutcome>): void =>
  void Object.assign(outcome.searches.find((row) => row.name === name) as SearchOutcome, values);

describe("the bars", () => {
  it("are met by figures exactly on them", () => {
    expect(judged().filter(({ held }) => !held)).toEqual([]);
    expect(judged().map(({ bar }) => bar)).toEqual([
      "slowest p50 to that of no tags, limit=20",
      "slowest p50 to that of no tags, limit=100",
      "two that never meet, p50, limit=20, to no tags",
      "two that never meet, p50, limit=20",
      "two that never meet, p50, limit=100, to no tags",
      "two that never meet, p50, limit=100",
      "quicker in the database than the other shape, geometric mean",
      "slowest to the other shape",
      "p50 at 1000000 posts to 100000, geometric mean",
      "requests/s of a bare server, 16 connections",
      "resident memory after the run",
      "edit of tags, p50",
      "16 writers: counts that are wrong",
      "16 writers: deadlocks",
      "p50 while an alias is applied",
    ]);
  });

  it("the slowest search takes at most 8 times as long as no tags, at either limit, except two tags without a common post", () => {
    expect(missed((outcome) => change(outcome, "slowest", { figures: byLoad(30, 80) }))).toEqual([
      ["slowest p50 to that of no tags, limit=20", 10, 8, 25],
    ]);
    expect(missed((outcome) => change(outcome, "slowest", { figures: byLoad(24, 100) }))).toEqual([
      ["slowest p50 to that of no tags, limit=100", 10, 8, 25],
    ]);
  });

  it("two tags without a common post take at most 60 times as long as no tags, and 200 ms", () => {
    expect(missed((outcome) => change(outcome, APART, { figures: byLoad(180, 220) }))).toEqual([
      ["two that never meet, p50, limit=100", 220, 200, 10],
    ]);
    expect(missed((outcome) => change(outcome, NO_TAGS, { figures: byLoad(3, 10) }))).toEqual([]);
    expect(missed((outcome) => change(outcome, APART, { figures: byLoad(189, 200) }))).toEqual([
      ["two that never meet, p50, limit=20, to no tags", 63, 60, 5],
    ]);
  });

  it("the database takes a fifth of the other layout's time in the geometric mean, and never more than 1.5 times", () => {
    expect(missed((outcome) => change(outcome, "slowest", { theirs: 64 }))).toEqual([
      ["quicker in the database than the other shape, geometric mean", 4, 5, 20],
    ]);
    expect(missed((outcome) => change(outcome, NO_TAGS, { ours: 3, theirs: 1.5 })).map(([bar]) => bar)).toEqual([
      "quicker in the database than the other shape, geometric mean",
      "slowest to the other shape",
    ]);
  });

  it("p50 grows at most 1.5 times with ten times the posts, over the searches that both boards have", () => {
    expect(missed((outcome) => Object.assign(outcome.small.p50, { slowest: 1.6 }))).toEqual([
      ["p50 at 1000000 posts to 100000, geometric mean", 3, 1.5, 100],
    ]);
    expect(missed((outcome) => delete outcome.small.p50.slowest)).toEqual([]);
  });

  it("15 % of a bare server's requests per second", () => {
    expect(missed((outcome) => (outcome.throughput.ours = 1200))).toEqual([
      ["requests/s of a bare server, 16 connections", 12, 15, 20],
    ]);
  });

  it("under 400 MB; no verdict if the system does not report it", () => {
    expect(missed((outcome) => (outcome.memory = 400))).toEqual([["resident memory after the run", 400, 400, 0]]);
    expect(judged((outcome) => (outcome.memory = null)).map(({ bar }) => bar)).not.toContain(
      "resident memory after the run",
    );
  });

  it("edits under 15 ms, exact counts, no deadlock, searches within twice their time during an alias", () => {
    expect(missed(({ writes }) => (writes.edit.p50 = 18))).toEqual([["edit of tags, p50", 18, 15, 20]]);
    expect(missed(({ writes }) => writes.parallel.wrongCounts.push("hat", "sky")).map(([bar]) => bar)).toEqual([
      "16 writers: counts that are wrong",
    ]);
    expect(missed(({ writes }) => (writes.parallel.deadlocks = 1)).map(([bar]) => bar)).toEqual([
      "16 writers: deadlocks",
    ]);
    expect(missed(({ writes }) => writes.alias.searches.push({ name: "slowest", before: 2, meanwhile: 5 }))).toEqual([
      ["p50 while an alias is applied", 2.5, 2, 25],
    ]);
  });
});
