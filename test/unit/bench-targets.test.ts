/** The benchmark's verdicts: which figures each target checks, and its limit. */
import { describe, expect, it } from "vitest";
import { type Verdict, verdicts } from "../../bench/search/targets.js";
import type { Figures } from "../../bench/search/load/driver.js";
import type { FiguresByLoad, Outcome, SearchOutcome } from "../../bench/search/outcome.js";
import { DEEP_PAGE } from "../../bench/search/answers.js";
import { NO_TAGS } from "../../bench/search/set.js";

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

/** Every figure exactly on its target, or just within it. */
const onTheBars = () =>
  ({
    posts: 1_000_000,
    date: "2026-01-01T00:00:00.000Z",
    machine: "",
    settings: {},
    failures: [],
    searches: [search(NO_TAGS, 1.3, 2, 1.5, 1), search("slowest", 5, 8, 1, 1600), search("third", 1.3, 2, 1, 1)],
    small: { posts: 100_000, p50: { [NO_TAGS]: 1, slowest: 5, third: 1 } },
    counts: { p50: 3, p99: 99, pairs: 1000, estimates: 0 },
    answers: [
      { name: "common", ours: { p50: 2, perSecond: 200 }, theirs: { p50: 1, perSecond: 400 } },
      { name: DEEP_PAGE, ours: { p50: 5, perSecond: 20 }, theirs: { p50: 10, perSecond: 10 } },
    ],
    throughput: { ours: 1500, bare: 10_000 },
    memory: 399.9 as number | null,
    writes: {
      edit: { p50: 7.9, p99: 99, edits: 50 },
      parallel: { edits: 50, p50: 99, editsPerSecond: 9, wrongCounts: [] as string[], deadlocks: 0 },
      alias: { posts: 100_000, done: 500, seconds: 10, searches: [{ name: NO_TAGS, before: 3, meanwhile: 6 }] },
    },
  }) satisfies Outcome;

type Complete = ReturnType<typeof onTheBars>;

const judged = (change: (outcome: Complete) => void = () => undefined): Verdict[] => {
  const outcome = onTheBars();
  change(outcome);
  return verdicts(outcome);
};

/** The missed targets with what was measured, the bound, and by how many of a hundred they were missed. */
const missed = (change: (outcome: Complete) => void): [string, number, number, number][] =>
  judged(change)
    .filter(({ held }) => !held)
    .map(({ target, measured, bound, missedBy }) => [target, round(measured), bound, round(missedBy)]);

const round = (value: number): number => Math.round(value * 100) / 100;

const change = (outcome: Outcome, name: string, values: Partial<SearchOutcome>): void =>
  void Object.assign(outcome.searches.find((row) => row.name === name) as SearchOutcome, values);

describe("the targets", () => {
  it("are met by figures exactly on them", () => {
    expect(judged().filter(({ held }) => !held)).toEqual([]);
    expect(judged().map(({ target }) => target)).toEqual([
      "slowest search, p50, limit=20",
      "slowest search, p50, limit=100",
      "faster in the database than the other layout, geometric mean",
      "slowest to the other layout",
      "p50 at 1000000 posts to 100000, geometric mean",
      "count of any two tags, p50",
      "counts of two tags that are estimates",
      "a whole answer to their query alone, p50, geometric mean",
      "a whole answer to their query alone, requests/s, geometric mean",
      "deep page of a common tag, p50",
      "requests/s of a bare server, 16 connections",
      "resident memory after the run",
      "edit of tags, p50",
      "16 writers: counts that are wrong",
      "16 writers: deadlocks",
      "p50 while an alias is applied",
    ]);
  });

  it("are only those that the run has figures for", () => {
    const targets = judged((outcome) => {
      Object.assign(outcome, { small: null, answers: null, writes: null });
      for (const row of outcome.searches) Object.assign(row, { theirs: null });
    });
    expect(targets.map(({ target }) => target)).toEqual([
      "slowest search, p50, limit=20",
      "slowest search, p50, limit=100",
      "count of any two tags, p50",
      "counts of two tags that are estimates",
      "requests/s of a bare server, 16 connections",
      "resident memory after the run",
    ]);
  });

  it("a search takes at most 5 ms with 20 posts and 8 ms with 100; those over it are named", () => {
    expect(missed((outcome) => change(outcome, "slowest", { figures: byLoad(6, 8) }))).toEqual([
      ["slowest search, p50, limit=20", 6, 5, 20],
    ]);
    const [verdict] = judged((outcome) => {
      change(outcome, "slowest", { figures: byLoad(6, 8) });
      change(outcome, "third", { figures: byLoad(7, 8) });
    });
    expect(verdict?.detail).toBe("third 7.0; slowest 6.0");
    expect(missed((outcome) => change(outcome, "slowest", { figures: byLoad(5, 10) }))).toEqual([
      ["slowest search, p50, limit=100", 10, 8, 25],
    ]);
  });

  it("ten million posts have targets of their own: 8 and 12 ms, 10 ms for a count, 500 MB", () => {
    const large = (more: Partial<Complete>, [at20, at100]: [number, number]) =>
      missed((outcome) => {
        Object.assign(outcome, { posts: 10_000_000, small: null }, more);
        change(outcome, "slowest", { figures: byLoad(at20, at100) });
      });
    const counts = { p50: 10, p99: 99, pairs: 1000, estimates: 0 };
    expect(large({ counts, memory: 499 }, [8, 12])).toEqual([]);
    expect(large({ counts: { ...counts, p50: 12 }, memory: 550 }, [10, 15]).map(([target]) => target)).toEqual([
      "slowest search, p50, limit=20",
      "slowest search, p50, limit=100",
      "count of any two tags, p50",
      "resident memory after the run",
    ]);
  });

  it("the database takes a tenth of the other layout's time in the geometric mean, and never more than 1.5 times", () => {
    expect(missed((outcome) => change(outcome, "slowest", { theirs: 768 }))).toEqual([
      ["faster in the database than the other layout, geometric mean", 8, 10, 20],
    ]);
    expect(missed((outcome) => change(outcome, NO_TAGS, { ours: 3, theirs: 1.5 })).map(([target]) => target)).toEqual([
      "faster in the database than the other layout, geometric mean",
      "slowest to the other layout",
    ]);
  });

  it("p50 grows at most 1.3 times with ten times the posts, over the searches that both boards have", () => {
    expect(missed((outcome) => Object.assign(outcome.small.p50, { slowest: 5 / 10.4 }))).toEqual([
      ["p50 at 1000000 posts to 100000, geometric mean", 2.6, 1.3, 100],
    ]);
    expect(missed((outcome) => delete (outcome.small.p50 as Partial<Record<string, number>>).slowest)).toEqual([]);
  });

  it("any two tags are counted exactly, within 3 ms", () => {
    expect(missed((outcome) => Object.assign(outcome.counts, { p50: 6, estimates: 2 }))).toEqual([
      ["count of any two tags, p50", 6, 3, 100],
      ["counts of two tags that are estimates", 2, 0, 200],
    ]);
  });

  it("a whole response is as fast as the other layout's query alone, in the geometric mean; a deep page takes at most 5 ms", () => {
    expect(missed((outcome) => Object.assign(outcome.answers[0] ?? {}, { ours: { p50: 8, perSecond: 50 } }))).toEqual([
      ["a whole answer to their query alone, p50, geometric mean", 0.5, 1, 50],
      ["a whole answer to their query alone, requests/s, geometric mean", 0.5, 1, 50],
    ]);
    expect(
      missed((outcome) =>
        Object.assign(outcome.answers[1] ?? {}, {
          ours: { p50: 10, perSecond: 20 },
          theirs: { p50: 30, perSecond: 10 },
        }),
      ),
    ).toEqual([["deep page of a common tag, p50", 10, 5, 100]]);
  });

  it("15 % of a bare server's requests per second", () => {
    expect(missed((outcome) => (outcome.throughput.ours = 1200))).toEqual([
      ["requests/s of a bare server, 16 connections", 12, 15, 20],
    ]);
  });

  it("under 400 MB; no verdict if the system does not report it", () => {
    expect(missed((outcome) => (outcome.memory = 400))).toEqual([["resident memory after the run", 400, 400, 0]]);
    expect(judged((outcome) => (outcome.memory = null)).map(({ target }) => target)).not.toContain(
      "resident memory after the run",
    );
  });

  it("edits under 8 ms, exact counts, no deadlock, searches within twice their time during an alias", () => {
    expect(missed(({ writes }) => (writes.edit.p50 = 10))).toEqual([["edit of tags, p50", 10, 8, 25]]);
    expect(missed(({ writes }) => writes.parallel.wrongCounts.push("hat", "sky")).map(([target]) => target)).toEqual([
      "16 writers: counts that are wrong",
    ]);
    expect(missed(({ writes }) => (writes.parallel.deadlocks = 1)).map(([target]) => target)).toEqual([
      "16 writers: deadlocks",
    ]);
    expect(missed(({ writes }) => writes.alias.searches.push({ name: "slowest", before: 2, meanwhile: 5 }))).toEqual([
      ["p50 while an alias is applied", 2.5, 2, 25],
    ]);
  });
});
