import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mostFrequent } from "../../src/lib/most-frequent.js";

/** The same by a Map. */
function byMap(lists: readonly number[][], most: number): [number, number][] {
  const counts = new Map<number, number>();
  for (const list of lists) for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one).slice(0, most);
}

describe("the most frequent numbers", () => {
  it("are sorted by frequency, and by first occurrence if equally frequent", () => {
    expect(
      mostFrequent(
        [
          [7, 5],
          [5, 9],
          [9, 1],
        ],
        3,
      ),
    ).toEqual([
      [5, 2],
      [9, 2],
      [7, 1],
    ]);
  });

  it("are empty without lists", () => expect(mostFrequent([[], []], 3)).toEqual([]));

  it("equal those counted with a Map, for any lists", () => {
    const list = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { maxLength: 40 });
    const few = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
    const lists = fc.array(fc.oneof(list, few), { maxLength: 30 });
    fc.assert(
      fc.property(lists, fc.integer({ min: 0, max: 100 }), (each, most) => {
        expect(mostFrequent(each, most)).toEqual(byMap(each, most));
      }),
    );
  });
});
