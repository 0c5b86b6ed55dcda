import { describe, expect, it } from "vitest";
import { editDistance } from "../../src/lib/edit-distance.js";

describe("editDistance", () => {
  it("counts letters that are deleted, inserted, replaced, or swapped with the next", () => {
    for (const [one, other, distance] of [
      ["", "", 0],
      ["", "abc", 3],
      ["harbour", "harbour", 0],
      ["harbor", "harbour", 1],
      ["hrabour", "harbour", 1],
      ["harbxur", "harbour", 1],
      ["haarborr", "harbour", 2],
      ["ca", "abc", 3],
    ] as const) {
      expect([one, other, editDistance(one, other, 5)]).toEqual([one, other, distance]);
      expect(editDistance(other, one, 5)).toBe(distance);
    }
  });

  it("stops at the maximum", () => {
    expect(editDistance("harbour", "mountain", 2)).toBeGreaterThan(2);
    expect(editDistance("ab", "abcdef", 2)).toBeGreaterThan(2);
  });
});
