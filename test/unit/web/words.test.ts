/** The terms of a search, the word that is typed in a field of tags, or in a link of a text, and numbers and times in words. */
import { describe, expect, it } from "vitest";
import { narrowed } from "../../../web/routes.js";
import { ago, inFull } from "../../../web/lib/dates.js";
import { bytes, clock, count, shortCount } from "../../../web/lib/time.js";
import { toggled } from "../../../web/lib/tags.js";
import { browserOf } from "../../../web/lib/user-agent.js";
import { completed, linkAt, linked, typedAt } from "../../../web/lib/typing.js";

describe("narrowed", () => {
  it("adds a term to a search, in place of the same one with another operator", () => {
    for (const [search, term, expected] of [
      ["", "night", "night"],
      ["harbour", "-night", "harbour -night"],
      ["harbour -night", "night", "harbour night"],
      ["harbour and night", "-night", "harbour -night"],
      ["~harbour ~night", "-night", "~harbour -night"],
    ] as const)
      expect([search, narrowed(search, term)]).toEqual([search, expected]);
  });

  it("leaves groups and values in quotes as they are, and makes alternatives a group", () => {
    for (const [search, term, expected] of [
      ["harbour or night", "boat", "(harbour or night) boat"],
      ["harbour OR night", "-night", "(harbour OR night) -night"],
      ["hills (harbour or boat or night) -boat", "boat", "hills (harbour or boat or night) boat"],
      ["pool:a\\ night hills", "-night", "pool:a\\ night hills -night"],
      ['pool:"a night  or two" hills', "-night", 'pool:"a night  or two" hills -night'],
      ["pool:'romeo and  juliet' hills", "-night", "pool:'romeo and  juliet' hills -night"],
      ['source:"a \\" and  b" hills', "-night", 'source:"a \\" and  b" hills -night'],
      [":'( and won't", "-night", ":'( won't -night"],
      ["hero_(some_game) hills", "-hero_(some_game)", "hills -hero_(some_game)"],
    ] as const)
      expect([search, narrowed(search, term)]).toEqual([search, expected]);
  });
});

describe("typedAt", () => {
  it("is the word at the caret, without its operators; within quotes there is none", () => {
    for (const [text, caret, word] of [
      ["harbour", 3, "har"],
      ["hills -har", 10, "har"],
      ["~ni", 3, "ni"],
      ["a\nbo", 4, "bo"],
      ["a\tbo", 4, "bo"],
      ["a\u3000bo", 4, "bo"],
      ["(har", 4, "har"],
      ["hills -(har", 11, "har"],
      ["a ", 2, ""],
      ["rating:s", 8, "rating:s"],
      ["", 0, ""],
      ['source:"a bo', 12, ""],
      ["-pool:'a bo", 11, ""],
      ['pool:"su', 8, 'pool:"su'],
      ['source:"a b" bo', 15, "bo"],
      [":'( bo", 6, "bo"],
    ] as const)
      expect([text, typedAt(text, caret).word]).toEqual([text, word]);
  });

  it("ends at the end of the word, also after the caret", () => {
    expect(typedAt("one two three", 5)).toEqual({ word: "t", start: 4, end: 7 });
  });

  it("ends before the parentheses that close a group, and behind those of its own", () => {
    for (const [text, caret, expected] of [
      ["(harb)", 5, "(harbour)"],
      ["-((night or ha)) boat", 14, "-((night or harbour)) boat"],
      ["(hero_(ga))", 7, "(harbour)"],
      ["hero_(ga)", 7, "harbour "],
    ] as const)
      expect([text, completed(text, typedAt(text, caret), "harbour").text]).toEqual([text, expected]);
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

describe("toggled", () => {
  it("adds a tag, or removes every occurrence of it, and nothing else", () => {
    expect(toggled("", "harbour")).toBe("harbour ");
    expect(toggled("boat", "harbour")).toBe("boat harbour ");
    expect(toggled("boat\nHarbour harbour_wall harbour", "harbour")).toBe("boat\nharbour_wall ");
    expect(toggled("boat 1(2)* ", "1(2)*")).toBe("boat ");
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
    expect([1023, 1024, 1024 * 1023.9, 1024 * 1023.96, 1024 ** 2].map(bytes)).toEqual([
      "1023 B",
      "1 KB",
      "1023.9 KB",
      "1 MB",
      "1 MB",
    ]);
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
    expect(inFull("2026-11-02T18:45:00Z", "Asia/Kolkata")).toBe("3 Nov 2026, 00:15 GMT+5:30");
    expect(inFull("2026-11-02T18:45:00Z", "UTC")).toBe("2 Nov 2026, 18:45 UTC");
    expect(inFull("2026-11-02T18:45:00Z", "Mars/Olympus")).toBe("2 Nov 2026, 18:45 UTC");
    const now = Date.UTC(2026, 10, 22);
    expect(ago(new Date(now + 90_000), now)).toBe("just now"); // a clock that is late
    expect(
      [10, 60, 200, 7_300, 86_400 * 3, 86_400 * 800].map((seconds) => ago(new Date(now - seconds * 1000), now)),
    ).toEqual(["just now", "1 minute ago", "3 minutes ago", "2 hours ago", "3 days ago", "2 years ago"]);
  });

  it("are in the larger unit when they would be rounded to it", () => {
    const now = Date.UTC(2026, 10, 22);
    const [minute, hour, day] = [60, 3600, 86_400] as const;
    for (const [seconds, words] of [
      [59, "just now"],
      [59.6, "1 minute ago"],
      [59.4 * minute, "59 minutes ago"],
      [59.6 * minute, "1 hour ago"],
      [23.4 * hour, "23 hours ago"],
      [23.6 * hour, "1 day ago"],
      [29.9 * day, "30 days ago"],
      [30.3 * day, "1 month ago"],
      [11.4 * 30.4375 * day, "11 months ago"],
      [11.6 * 30.4375 * day, "1 year ago"],
      [1.6 * 365.25 * day, "2 years ago"],
    ] as const)
      expect([seconds, ago(new Date(now - seconds * 1000), now)]).toEqual([seconds, words]);
  });
});

describe("a browser", () => {
  it("is named with its system, in plain words", () => {
    const linux = "Mozilla/5.0 (X11; Linux x86_64";
    const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit";
    const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64";
    const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
    const android = "Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko)";
    for (const [agent, words] of [
      [`${linux}; rv:145.0) Gecko/20100101 Firefox/145.0`, "Firefox on Linux"],
      [`${linux}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`, "Chrome on Linux"],
      [`${linux}) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36`, "Chrome on Linux"],
      [`${windows}) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, "Edge on Windows"],
      [`${windows}) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 OPR/124.0.0.0`, "Opera on Windows"],
      [`${mac}/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15`, "Safari on macOS"],
      [`${iphone} Version/26.0 Mobile/15E148 Safari/604.1`, "Safari on iPhone"],
      [`${iphone} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`, "Chrome on iPhone"],
      [`${iphone} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`, "Firefox on iPhone"],
      [`${android} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`, "Samsung Internet on Android"],
      ["Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", "Firefox on Android"],
      [
        "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36",
        "Chrome on ChromeOS",
      ],
      ["curl/8.14.1", "curl"],
      ["python-requests/2.32.5", "python-requests"],
      ["Mozilla/5.0 (compatible; Something)", "Unknown browser"],
      ["Mozilla/5.0 (X11; Linux x86_64) Something/1", "Unknown browser on Linux"],
      ["", "Unknown browser"],
    ] as const)
      expect([agent, browserOf(agent)]).toEqual([agent, words]);
  });
});
