/** The statistics of the benchmark. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { geometricMean, median, percentile } from "../../bench/search/statistics.js";

describe("percentile", () => {
  it("is the nearest rank, a measured value, in any order of the values", () => {
    const values = [15, 20, 35, 40, 50];
    const at = [0, 0.05, 0.3, 0.4, 0.5, 0.99, 1];
    expect(at.map((share) => percentile(values.toReversed(), share))).toEqual([15, 15, 20, 20, 35, 50, 50]);
  });

  it("of one value is that value", () => {
    expect([percentile([7], 0.01), percentile([7], 0.99)]).toEqual([7, 7]);
  });

  it("sorts by number, and leaves the list as it was", () => {
    const values = [10, 9, 100];
    expect([median(values), values]).toEqual([10, [10, 9, 100]]);
  });

  it("is the smallest value that at least that share does not exceed", () => {
    const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const found = percentile(list, share);
        const within = (limit: (value: number) => boolean) => list.filter(limit).length;
        expect(list).toContain(found);
        expect(within((value) => value <= found)).toBeGreaterThanOrEqual(share * list.length - 1e-9);
        expect(within((value) => value < found)).toBeLessThanOrEqual(Math.max(0, Math.ceil(share * list.length) - 1));
      }),
    );
  });

  it("of nothing is an error", () => {
    expect(() => percentile([], 0.5)).toThrow("no values");
  });
});

describe("geometricMean", () => {
  it("of a half and a double is 1", () => {
    expect(geometricMean([0.5, 2])).toBeCloseTo(1, 12);
    expect(geometricMean([1, 10, 100])).toBeCloseTo(10, 12);
    expect(geometricMean([3])).toBeCloseTo(3, 12);
  });

  it("of nothing, or of values not above 0, is an error", () => {
    expect(() => geometricMean([])).toThrow("no values");
    expect(() => geometricMean([1, 0])).toThrow("not above 0");
    expect(() => geometricMean([1, Number.NaN])).toThrow("not above 0");
  });
});
