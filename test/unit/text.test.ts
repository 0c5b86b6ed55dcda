import { describe, expect, it } from "vitest";
import { lengthOf } from "../../src/lib/text.js";

describe("the length of a text", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["ä\u{1F600}b\u{1F600}", 4],
    ["\uD83D", 1],
    ["\uDE00\uD83D", 2],
    ["\uD83D\uD83D\uDE00\uDE00", 3],
    ["\u{1F600}".repeat(100_000), 100_000],
  ])("is in characters, an emoji one of them", (text, length) => {
    expect([lengthOf(text), Array.from(text).length]).toEqual([length, length]);
  });
});
