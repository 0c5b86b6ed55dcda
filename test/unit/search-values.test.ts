import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { failure } from "../../src/errors.js";
import { type Measure, parseItems, rangeSql } from "../../src/search/posts/metatags/ranges.js";
import { parseAge, parseDate } from "../../src/search/posts/metatags/time.js";
import {
  ageMeasure,
  dateMeasure,
  FILE_SIZE,
  INTEGER,
  MEGAPIXELS,
  NEGATED_INTEGER,
  RATIO,
} from "../../src/search/posts/metatags/values.js";
import { parsePage } from "../../src/search/page.js";
import { likePattern } from "../../src/search/pattern.js";

const NOW = new Date("2026-03-31T12:30:00.500Z");
const DATE = dateMeasure(NOW);
const AGE = ageMeasure(NOW);

/** Items in the notation of intervals: `[1,5)`, `(,9]`; null for an unreadable value. */
function items(text: string, measure: Measure, show: (value: number) => unknown = String): string | null {
  const found = parseItems(text, measure);
  const one = (item: NonNullable<typeof found>[number]) => {
    if (typeof item === "string") return item;
    const from = item.from ? `${item.from.inclusive ? "[" : "("}${String(show(item.from.value))}` : "(";
    const to = item.to ? `${String(show(item.to.value))}${item.to.inclusive ? "]" : ")"}` : ")";
    return `${from},${to}`;
  };
  return found && found.map(one).join(" ");
}

const iso = (value: number): string => new Date(value).toISOString().replace(":00.000Z", "").replace("T00:00", "");

describe("values of meta-tags", () => {
  it.each([
    ["5", "[5,5]"],
    ["-5", "[-5,-5]"],
    ["1..5", "[1,5]"],
    ["5..1", "[1,5]"],
    ["1...5", "[1,5)"],
    ["<=5", "(,5]"],
    ["..5", "(,5]"],
    ["<5", "(,5)"],
    [">=5", "[5,)"],
    ["5..", "[5,)"],
    [">5", "(5,)"],
    ["1,2,3", "[1,1] [2,2] [3,3]"],
    ["1,5..7,>9", "[1,1] [5,7] (9,)"],
    ["any", "any"],
    ["None,3", "none [3,3]"],
    ["1,", "[1,1]"],
    ["-3..-1", "[-3,-1]"],
    ["", null],
    [",", null],
    ["x", null],
    ["1,x", null],
    ["1.5", null],
    ["1e3", null],
    ["..", null],
    ["...", null],
    ["1..x", null],
    ["<", null],
    ["><5", null],
    ["0x10", null],
  ])("whole numbers: %j is %s", (text, expected) => expect(items(text, INTEGER)).toBe(expected));

  it("are reversed for a column of negative numbers", () => {
    expect(items(">=2", NEGATED_INTEGER)).toBe("(,-2]");
    expect(items("1...3", NEGATED_INTEGER)).toBe("(-3,-1]");
  });

  it.each([
    ["2000", "[2000,2000]"],
    ["2000b", "[2000,2000]"],
    ["100k", "[97280,107520]"],
    ["100KB", "[97280,107520]"],
    ["1.5m", "[1494221,1651507]"],
    [">=1m", "[1048576,)"],
    [">1.7k", "(1740,)"],
    ["1k..2k", "[1024,2048]"],
    ["5x", null],
    ["m", null],
  ])("sizes: %j is %s", (text, expected) => expect(items(text, FILE_SIZE)).toBe(expected));

  it.each([
    ["2", "[1900000,2100000]"],
    [">0.5", "(500000,)"],
    [".5..1", "[500000,1000000]"],
    ["<=2.3", "(,2300000]"],
    ["0.0000019", "[2,2]"],
    ["x", null],
  ])("millions of pixels: %j is %s", (text, expected) => expect(items(text, MEGAPIXELS)).toBe(expected));

  it.each([
    ["16:9", "[1.78,1.78]"],
    ["16/9", "[1.78,1.78]"],
    ["1.777", "[1.78,1.78]"],
    ["1.005", "[1.01,1.01]"],
    ["201:200", "[1.01,1.01]"],
    ["4:3..16:9", "[1.33,1.78]"],
    ["1:0", null],
    ["a:b", null],
  ])("ratios: %j is %s", (text, expected) => expect(items(text, RATIO)).toBe(expected));

  it.each([
    ["2026-01-31", "[2026-01-31,2026-02-01)"],
    ["2026/1/31", "[2026-01-31,2026-02-01)"],
    ["2026-02", "[2026-02-01,2026-03-01)"],
    ["2026", "[2026-01-01,2027-01-01)"],
    ["today", "[2026-03-31,2026-04-01)"],
    ["yesterday", "[2026-03-30,2026-03-31)"],
    ["2026-01-31T10:30", "[2026-01-31,2026-02-01)"],
    ["2026-01-31T01:30+02:00", "[2026-01-30,2026-01-31)"],
    ["2026-01-31T24:00", "[2026-02-01,2026-02-02)"],
    ["2026-01-01..2026-01-03", "[2026-01-01,2026-01-03]"],
    ["2026-01-03..2026-01-01", "[2026-01-01,2026-01-03]"],
    [">2026-01-01T10:30", "(2026-01-01T10:30,)"],
    [">=2026-01-01T10:30+02:00", "[2026-01-01T08:30,)"],
    [">=2026-01-01T10:30-02:00", "[2026-01-01T12:30,)"],
    [">=2026-01-01T10:30:60", "[2026-01-01T10:31,)"],
    ["2026-01-01T10:30:61", null],
    ["2026-01-01T10:60", null],
    ["<2026-01", "(,2026-01-01)"],
    ["2024-02-29", "[2024-02-29,2024-03-01)"],
    ["2026-02-29", null],
    ["2026-13", null],
    ["2026-00-01", null],
    ["2026-01-00", null],
    ["0000", null],
    ["soon", null],
    ["2026-01-01T25:00", null],
    [">2026-01-01T24:00", "(2026-01-02,)"],
    ["2026-01-01T24:30", null],
  ])("dates: %j is %s", (text, expected) => expect(items(text, DATE, iso)).toBe(expected));

  it("a single date with a time lasts to the end of its day", () => {
    expect(parseDate("2026-01-01 10:00", NOW)).toEqual({ start: Date.UTC(2026, 0, 1, 10), end: Date.UTC(2026, 0, 2) });
    expect(parseDate("0050-06-01", NOW)?.start).toBe(new Date("0050-06-01T00:00:00Z").getTime());
  });

  const ago = (text: string) => {
    const instant = parseAge(text, NOW);
    return instant === null ? null : new Date(instant).toISOString();
  };

  it.each([
    ["90", "2026-03-31T12:28:30.500Z"],
    ["1s", "2026-03-31T12:29:59.500Z"],
    ["2m", "2026-03-31T12:28:00.500Z"],
    ["2mi", "2026-03-31T12:28:00.500Z"],
    ["1h30m", "2026-03-31T11:00:00.500Z"],
    ["1 d", "2026-03-30T12:30:00.500Z"],
    ["0.5d", "2026-03-31T00:30:00.500Z"],
    ["1wk", "2026-03-24T12:30:00.500Z"],
    ["1mo", "2026-02-28T12:30:00.500Z"],
    ["1yr", "2025-03-31T12:30:00.500Z"],
    ["1year2months", "2025-01-31T12:30:00.500Z"],
    ["9999y", "0001-01-01T00:00:00.000Z"],
    ["99999999999999999999d", "0001-01-01T00:00:00.000Z"],
    [`${"9".repeat(400)}y`, "0001-01-01T00:00:00.000Z"],
    [`${"9".repeat(400)}s`, "0001-01-01T00:00:00.000Z"],
    ["30m1h", null],
    ["1h1h", null],
    ["1.5mo", null],
    ["5x", null],
    ["d", null],
    ["", null],
    ["-1d", null],
    [`${"1".repeat(200)}!`, null],
  ])("ages: %j", (text, expected) => expect(ago(text)).toBe(expected));

  it("a smaller age is a later time", () => {
    expect(items("<1d", AGE, (value) => new Date(value).toISOString())).toBe("(2026-03-30T12:30:00.500Z,)");
    expect(items(">=1d", AGE, (value) => new Date(value).toISOString())).toBe("(,2026-03-30T12:30:00.500Z]");
    expect(items("1d..2d", AGE, (value) => new Date(value).toISOString())).toBe(
      "[2026-03-29T12:30:00.500Z,2026-03-30T12:30:00.500Z]",
    );
    expect(items("1d...2d", AGE, (value) => new Date(value).toISOString())).toBe(
      "(2026-03-29T12:30:00.500Z,2026-03-30T12:30:00.500Z]",
    );
    expect(items("1d", AGE, (value) => new Date(value).toISOString())).toBe(
      "[2026-03-30T00:00:00.000Z,2026-03-30T23:59:59.999Z]",
    );
  });
});

describe("conditions of ranges", () => {
  const write = (text: string, measure: Measure = INTEGER) => {
    const condition = rangeSql(sql`n`, text, measure);
    return condition && { text: condition.sql, values: condition.values };
  };

  it("use one parameter for a list", () => {
    expect(write("1,2,3")).toEqual({ text: "n = ANY(?::int[])", values: ["{1,2,3}"] });
    expect(write("1")).toEqual({ text: "n = ?::int", values: ["1"] });
  });

  it.each([
    ["9".repeat(30), "FALSE"],
    [`>${"9".repeat(30)}`, "FALSE"],
    [`<-${"9".repeat(30)}`, "FALSE"],
    [`<${"9".repeat(30)}`, "TRUE"],
    [`>=-${"9".repeat(30)}`, "TRUE"],
    [`${"9".repeat(30)}..`, "FALSE"],
    ["9".repeat(400), "FALSE"],
    ["2147483648", "FALSE"],
  ])("never contain a number beyond the type: %s", (text, expected) =>
    expect(write(text)).toEqual({ text: expected, values: [] }),
  );

  it.each(["2147483647", "-2147483648"])("contain the first and last number of the type: %s", (text) =>
    expect(write(text)).toEqual({ text: "n = ?::int", values: [text] }),
  );

  it("of millions of pixels are of whole pixels, as the index has them", () => {
    expect(write(">0.0421", MEGAPIXELS)).toEqual({ text: "(n > ?::bigint)", values: ["42100"] });
    expect(write("<99999999999999999999", MEGAPIXELS)?.text).toBe("TRUE");
  });

  it("are empty between a number and itself exclusive, reversed or not", () => {
    expect(write("3...3")).toEqual({ text: "(n >= ?::int AND n < ?::int)", values: ["3", "3"] });
    expect(write("3...3", NEGATED_INTEGER)).toEqual({ text: "(n > ?::int AND n <= ?::int)", values: ["-3", "-3"] });
  });

  it("respect the calendar", () => {
    expect(write("<9999", DATE)?.values).toEqual(["9999-01-01T00:00:00.000Z"]);
    expect(write("9999-12-31", DATE)).toEqual({ text: "(n >= ?::timestamptz)", values: ["9999-12-31T00:00:00.000Z"] });
  });

  it("are refused with too many spans", () => {
    const spans = (length: number) => write(Array.from({ length }, (_, i) => `>${i}`).join(","));
    expect([spans(200)?.values.length, spans(201)]).toEqual([200, null]);
    expect(write(Array.from({ length: 10_001 }, (_, i) => `${i}`).join(","))).toBeNull();
  });

  it("never throw", () => {
    const pieces = fc.constantFrom(
      "1",
      "99999999999999999999",
      ".",
      "..",
      "...",
      "-",
      "<",
      ">",
      "=",
      ",",
      ":",
      "/",
      "k",
      "m",
      "d",
      "mo",
      "any",
      "T",
      "Z",
      " ",
      "x",
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 12 }).map((list) => list.join("")),
    );
    const measures = fc.constantFrom(INTEGER, NEGATED_INTEGER, FILE_SIZE, MEGAPIXELS, RATIO, DATE, AGE);
    fc.assert(
      fc.property(texts, measures, (text, measure) => {
        expect(write(text, measure)?.text ?? "").not.toMatch(/NaN|Invalid/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("pages", () => {
  it.each([
    [undefined, { kind: "number", page: 1 }],
    [null, { kind: "number", page: 1 }],
    ["", { kind: "number", page: 1 }],
    ["3", { kind: "number", page: 3 }],
    [" 3 ", { kind: "number", page: 3 }],
    ["0", { kind: "number", page: 1 }],
    ["-1", { kind: "number", page: 1 }],
    ["1.5", { kind: "number", page: 1 }],
    ["b12x", { kind: "number", page: 1 }],
    ["1000", { kind: "number", page: 1000 }],
    ["b12", { kind: "before", id: 12 }],
    ["A12", { kind: "after", id: 12 }],
    [`b${"9".repeat(40)}`, { kind: "before", id: Number.MAX_SAFE_INTEGER }],
  ])("%j", (text, page) => expect(parsePage(text, 1000)).toEqual(page));

  it("424 beyond the last page allowed", () =>
    expect(() => parsePage("1001", 1000)).toThrow(failure("page_too_deep", { parameter: "page", limit: 1000 }).reason));
});

describe("patterns", () => {
  it.each([
    ["a*", "a%"],
    ["*", "%"],
    ["a**b", "a%b"],
    ["50%_\\", "50\\%\\_\\\\"],
  ])("%j is LIKE %j", (text, pattern) => expect(likePattern(text)).toBe(pattern));
});
