/** The word that is typed in a field of tags, or in a link of a text, and numbers and times in words. */
import { describe, expect, it } from "vitest";
import { ago, bytes, clock, count, inFull, shortCount } from "../../../web/lib/time.js";
import { completed, linkAt, linked, typedAt } from "../../../web/lib/typing.js";

describe("typedAt", () => {
  it("is the word at the caret, without its operators", () => {
    for (const [text, caret, word] of [
      ["harbour", 3, "har"],
      ["hills -har", 10, "har"],
      ["~ni", 3, "ni"],
      ["a\nbo", 4, "bo"],
      ["a ", 2, ""],
      ["rating:s", 8, "rating:s"],
      ["", 0, ""],
    ] as const)
      expect([text, typedAt(text, caret).word]).toEqual([text, word]);
  });

  it("ends at the end of the word, also after the caret", () => {
    expect(typedAt("one two three", 5)).toEqual({ word: "t", start: 4, end: 7 });
  });
});

describe("completed", () => {
  it("replaces the word by the suggestion, followed by a space", () => {
    const text = "hills -har boat";
    expect(completed(text, typedAt(text, 10), "harbour")).toEqual({ text: "hills -harbour boat", caret: 15 });
    expect(completed("h", typedAt("h", 1), "harbour")).toEqual({ text: "harbour ", caret: 8 });
  });

  it("adds no space after a meta-tag, whose value follows", () => {
    expect(completed("rat", typedAt("rat", 3), "rating:")).toEqual({ text: "rating:", caret: 7 });
  });
});

describe("linkAt", () => {
  it("is the title after two brackets, while the link is not closed", () => {
    for (const [text, caret, word] of [
      ["see [[har", 9, "har"],
      ["see [[old har", 13, "old har"],
      ["see [[har]] and", 9, "har"],
      ["see [[har]] and", 15, ""],
      ["see [[har|the harb", 18, ""],
      ["see [har", 8, ""],
      ["har", 3, ""],
    ] as const)
      expect([text, caret, linkAt(text, caret).word]).toEqual([text, caret, word]);
  });
});

describe("linked", () => {
  it("completes the link, whether or not it was closed", () => {
    for (const text of ["see [[har", "see [[har]]"])
      expect(linked(text, linkAt(text, 9), "old_harbour")).toEqual({ text: "see [[old harbour]]", caret: 19 });
  });
});

describe("numbers and times", () => {
  it("are formatted for readers", () => {
    expect([
      count(12_345),
      shortCount(12_345),
      bytes(999),
      bytes(1_400_000),
      bytes(100 * 1024 ** 2),
      clock(72.9),
    ]).toEqual(["12,345", "12.3K", "999 B", "1.3 MB", "100 MB", "1:12"]);
    expect([0, 999, 1000, 1234, -12_345, 1_234_567].map(count)).toEqual([
      "0",
      "999",
      "1,000",
      "1,234",
      "-12,345",
      "1,234,567",
    ]);
    expect([0, 999, 1000, 1049, 999_949, 999_950, 1_250_000, 20_000_000].map(shortCount)).toEqual([
      "0",
      "999",
      "1K",
      "1K",
      "999.9K",
      "1M",
      "1.3M",
      "20M",
    ]);
    expect(inFull(new Date(2026, 10, 2, 9, 5).toISOString())).toBe("2 Nov 2026, 09:05");
    const now = Date.UTC(2026, 10, 22);
    expect(ago(new Date(now + 90_000), now)).toBe("just now"); // a clock that is late
    expect(
      [10, 60, 200, 7_300, 86_400 * 3, 86_400 * 800].map((seconds) => ago(new Date(now - seconds * 1000), now)),
    ).toEqual(["just now", "1 minute ago", "3 minutes ago", "2 hours ago", "3 days ago", "2 years ago"]);
  });
});
