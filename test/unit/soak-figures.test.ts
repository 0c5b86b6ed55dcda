import { describe, expect, it } from "vitest";
import type { Sample } from "../../bench/soak/clients.js";
import { errorTable, type Period, verdicts } from "../../bench/soak/figures.js";

const sample = (status: number, reason = ""): Sample => ({ name: "GET /posts", status, reason, milliseconds: 5 });

const period = (over: Partial<Period> = {}): Period => ({
  samples: [sample(200)],
  memory: 200,
  loop: { p99: 10, max: 20 },
  ...over,
});

/** The bars that were missed, and whether they make the run fail. */
const missed = (periods: Period[], faults: string[] = []) =>
  verdicts(periods, faults).flatMap(({ target, held, isFatal }) => (held ? [] : [[target, isFatal]]));

describe("the verdict of a soak", () => {
  it("passes, including refusals", () => {
    expect(missed([period({ samples: [sample(200), sample(423, "duplicate"), sample(503, "later")] })])).toEqual([]);
  });

  it.each<[string, Period[], string[], unknown]>([
    ["a 500", [period(), period({ samples: [sample(500)] })], [], ["no 500", true]],
    ["no answer", [period({ samples: [sample(0)] })], [], ["every request answered", true]],
    ["what `board verify` finds", [period()], ["a count is wrong"], ["board verify", true]],
    [
      "a late event loop in one minute",
      [period(), period({ loop: { p99: 100, max: 100 } })],
      [],
      ["event-loop delay, p99 of each minute under 100 ms", false],
    ],
    [
      "memory that grows after two minutes",
      [100, 200, 210, 221].map((memory) => period({ memory })),
      [],
      ["memory grows by less than 10 % after two minutes", false],
    ],
  ])("reports %s", (_, periods, faults, target) => {
    expect(missed(periods, faults)).toEqual([target]);
  });

  it("ignores memory growth in the first two minutes", () => {
    expect(missed([100, 200, 205, 219].map((memory) => period({ memory })))).toEqual([]);
  });
});

describe("errors by kind", () => {
  it("are counted by request, status and reason, the most frequent first", () => {
    const samples = [sample(423, "duplicate"), sample(0, "reset"), sample(423, "duplicate"), sample(200)];
    expect(
      errorTable([period({ samples })])
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["request", "status", "reason", "times"],
      ["GET /posts", "423", "duplicate", "2.00"],
      ["GET /posts", "no answer", "reset", "1.00"],
    ]);
  });

  it("are none when nothing was refused", () => {
    expect(errorTable([period()])).toBe("no errors");
  });
});
