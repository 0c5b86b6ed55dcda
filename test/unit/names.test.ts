/** User names as keys. */
import { describe, expect, it } from "vitest";
import { composed, normalizeUserName, toTagSpelling } from "../../src/lib/names.js";
import { processorTime } from "../support/timing.js";

describe("normalizeUserName", () => {
  it.each([
    ["Alma", "alma"],
    ["  Two Words ", "two_words"],
    ["ÄRGER_ЖУК", "ärger_жук"],
    ["ΟΔΟΣ", "οδοσ"],
    ["İstanbul", "istanbul"],
    ["猫\u{1f431}", "猫\u{1f431}"],
    ["", ""],
  ])("%j is %j, as PostgreSQL lower-cases it", (name, key) => {
    expect(normalizeUserName(name)).toBe(key);
  });
});

describe("composed", () => {
  it("composes letters with their marks", () => {
    expect(["e\u0301", "\uFF21", "\u1112\u1161\u11AB"].map((text) => composed(text))).toEqual([
      "\u00e9",
      "\uFF21",
      "\uD55C",
    ]);
    expect(composed("\uFF21", "NFKC")).toBe("A");
    const marks = "\u0316".repeat(30);
    expect(composed(`e${marks}\u0301`.slice(0, 31))).toBe(`e${marks}`);
  });

  it("leaves texts unchanged that have too many combining marks for a name, which would take minutes to compose", async () => {
    const spent = await processorTime(() => {
      for (const count of [31, 1_000, 250_000]) {
        const text = `a${"\u0315".repeat(count)}${"\u0316".repeat(count)}`;
        expect(composed(text)).toBe(text);
        expect(toTagSpelling(text)).toBe(text);
      }
    });
    expect(spent).toBeLessThan(1_000);
  });
});
