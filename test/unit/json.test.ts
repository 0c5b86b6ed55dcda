import { describe, expect, it } from "vitest";
import { MOST_KEYS, MOST_VALUES, parseJson } from "../../src/lib/json.js";
import { processorTime } from "../support/timing.js";

const nested = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels);
const keys = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}": 1`).join()}}`;

const MALFORMED = "the request body is malformed";

describe("JSON from clients", () => {
  it("is accepted up to 64 levels of lists and objects", () => {
    expect(parseJson(nested(64, "[", "]"))).toHaveLength(1);
    expect(parseJson(`${'{"a":['.repeat(32)}1${"]}".repeat(32)}`)).toHaveProperty("a");
  });

  it("is accepted up to 1,000 keys, 50,000 values and 1,000 digits", () => {
    expect(Object.keys(parseJson(keys(MOST_KEYS)) as object)).toHaveLength(1_000);
    expect(parseJson(`[${"1,".repeat(MOST_VALUES - 2)}1]`)).toHaveLength(49_999);
    expect(parseJson(`[${"1".repeat(1_000)}, -0.5e-7, true, null]`)).toEqual([Infinity, -5e-8, true, null]);
  });

  it.each([
    ["lists within one another", nested(65, "[", "]"), MALFORMED],
    ["objects within one another", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`, MALFORMED],
    ["what never closes, a million levels deep", "[".repeat(1_000_000), MALFORMED],
    ["what is deep after a text with an escaped quote", `["\\"",${"[".repeat(70)}`, MALFORMED],
    ["what is deep after a text of escapes", `["\\\\",${"[".repeat(70)}`, MALFORMED],
    ["a number of 1,001 digits", `[${"1".repeat(1_001)}]`, MALFORMED],
    ["1,001 keys", keys(MOST_KEYS + 1), "too many or too deeply nested parameters"],
    ["1,001 times the same key", `{${'"a":1,'.repeat(MOST_KEYS)}"a":1}`, "too many or too deeply nested parameters"],
    ["50,001 values", `[${"1,".repeat(MOST_VALUES)}1]`, "the body may have at most 50000 values"],
    ["50,001 lists", `[${"[]".repeat(MOST_VALUES)}]`, "the body may have at most 50000 values"],
    ["no JSON", "{", MALFORMED],
    ["a text without an end", '["a', MALFORMED],
  ])("is refused: %s", (_, text, reason) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ status: 424, message: reason }) as Error);
  });

  it("may have anything in strings", () => {
    const text = "[{:,".repeat(100_000);
    expect(parseJson(JSON.stringify({ [text]: `${text}"\\`, "\\\\": '\\"' }))).toEqual({
      [text]: `${text}"\\`,
      "\\\\": '\\"',
    });
  });

  it("is checked in linear time, whatever is in its strings", async () => {
    const spent = await processorTime(() => {
      for (const text of ['"\\\\'.repeat(300_000), `"${"\\".repeat(1_000_000)}`, '\\"'.repeat(500_000)])
        expect(() => parseJson(text)).toThrow(MALFORMED);
    });
    expect(spent).toBeLessThan(1_000);
  });
});
