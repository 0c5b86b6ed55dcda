import { describe, expect, it } from "vitest";
import { parseJson, UnreadableJson } from "../../src/lib/json.js";

const nested = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels);

describe("JSON that strangers send", () => {
  it("is read up to 64 levels, of lists and objects together", () => {
    expect(parseJson(nested(64, "[", "]"))).toHaveLength(1);
    expect(parseJson(`${'{"a":['.repeat(32)}1${"]}".repeat(32)}`)).toHaveProperty("a");
  });

  it.each([
    ["lists", nested(65, "[", "]")],
    ["objects", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`],
    ["what never closes, a million levels deep", "[".repeat(1_000_000)],
    ["what is deep after a text with an escaped quote", `["\\"",${"[".repeat(70)}`],
    ["no JSON", "{"],
  ])("is refused: %s", (_, text) => expect(() => parseJson(text)).toThrow(UnreadableJson));

  it("may have brackets in its texts", () => {
    const text = "[{".repeat(1000);
    expect(parseJson(JSON.stringify({ [text]: `${text}"\\` }))).toEqual({ [text]: `${text}"\\` });
  });
});
