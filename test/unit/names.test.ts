/** User names as keys. */
import { describe, expect, it } from "vitest";
import { normalizeUserName } from "../../src/lib/names.js";

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
