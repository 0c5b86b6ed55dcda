import { describe, expect, it } from "vitest";
import { boundOf, isKept, judge, type Row, tableOf } from "../../bench/web/table.js";

const timing: Row = { name: "first paint", measured: 1400, unit: "ms", budget: 1000 };
const frames: Row = { name: "frames", measured: 40, unit: "/s", budget: 58, isLeast: true, reference: 50 };
const strict = { slack: 0, pace: 2 };
const tolerant = { slack: 0.3, pace: 1.2 };

describe("the budget of a page", () => {
  it("is not adjusted without a tolerance, however slow the machine is", () => {
    expect(boundOf(timing, strict)).toBe(1000);
    expect(isKept(judge(timing, strict))).toBe(false);
    expect(boundOf(frames, strict)).toBe(58);
  });

  it("of a timing has slack, and more on a machine that is slower at that moment", () => {
    expect(boundOf(timing, tolerant)).toBeCloseTo(1560);
    expect(isKept(judge(timing, tolerant))).toBe(true);
  });

  it("requires no more frames than the machine shows of the same pictures alone", () => {
    expect(boundOf(frames, tolerant)).toBeCloseTo(35);
    expect(isKept(judge(frames, tolerant))).toBe(true);
    expect(isKept(judge({ ...frames, measured: 34 }, tolerant))).toBe(false);
  });

  it("of the longest frame adds that of the same pictures alone", () => {
    const longest: Row = { name: "longest frame", measured: 100, unit: "ms", budget: 50, reference: 80 };
    expect(boundOf(longest, tolerant)).toBeCloseTo((60 + 80) * 1.3);
    expect(boundOf(longest, strict)).toBe(50);
  });

  it("of what is counted beyond a limit moves that limit with the pace", () => {
    const blocking: Row = {
      name: "blocking",
      measured: 90,
      measuredAt: (pace) => Math.max(0, 140 - 50 * pace),
      unit: "ms",
      budget: 50,
    };
    expect(judge(blocking, tolerant)).toMatchObject({ measured: 80, bound: 78 });
    expect(judge(blocking, strict).measured).toBe(90);
    expect(judge(blocking, { slack: 0.3, pace: 3 })).toMatchObject({ measured: 0 });
  });

  it("of a size has no slack", () => {
    expect(boundOf({ name: "heap", measured: 61, unit: "MB", budget: 60 }, tolerant)).toBe(60);
    expect(boundOf({ name: "shift", measured: 0.03, unit: "", budget: 0.02 }, tolerant)).toBe(0.02);
  });

  it("is shown in a table that marks the ones exceeded", () => {
    expect(
      tableOf([timing, frames].map((row) => judge(row, strict)))
        .split("\n")
        .slice(2, 4),
    ).toEqual([
      "| first paint | 1400 ms | ≤ 1000 ms | 1000 |  | over |",
      "| frames | 40 /s | ≥ 58 /s | 58 | 50 /s | over |",
    ]);
  });
});
