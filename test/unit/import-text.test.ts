/** How the text of a dump is split into records, wherever the chunks begin. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRetryAfter } from "../../src/operations/import/pace.js";
import { MAX_RECORD, type RecordText, recordTexts } from "../../src/operations/import/text.js";

// oxlint-disable-next-line typescript/require-await -- pieces come one after the other, as from a file
async function* inPieces(text: string, sizes: readonly number[]): AsyncIterable<string> {
  for (let at = 0, piece = 0; at < text.length; piece += 1) {
    const size = sizes[piece % sizes.length] ?? 1;
    yield text.slice(at, at + size);
    at += size;
  }
}

async function cut(text: string, sizes: readonly number[] = [5]): Promise<RecordText[]> {
  const found: RecordText[] = [];
  for await (const record of recordTexts(inPieces(text, sizes))) found.push(record);
  return found;
}

const parsed = async (text: string, sizes: readonly number[]) =>
  (await cut(text, sizes)).map((record) => JSON.parse(record ?? "null") as unknown);

const records = fc.array(
  fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()), { noNullPrototype: true }),
);
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });

describe("recordTexts", () => {
  it("yields the records of lines, and of an array in any layout", async () => {
    await fc.assert(
      fc.asyncProperty(records, sizes, fc.constantFrom(undefined, 2), async (rows, pieces, indent) => {
        const same = JSON.parse(JSON.stringify(rows)) as unknown;
        expect(await parsed(rows.map((row) => JSON.stringify(row)).join("\n"), pieces)).toEqual(same);
        expect(await parsed(`\uFEFF\n ${JSON.stringify(rows, null, indent)}\n`, pieces)).toEqual(same);
      }),
    );
  });

  it("never loses a line because of earlier lines", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string().filter((line) => !/^[\s[]*$/.test(line))), sizes, async (lines, pieces) => {
        const text = ["{", ...lines.map((line) => line.replaceAll("\n", " ").trim()), '{"id":1}'].join("\n");
        expect((await cut(text, pieces)).at(-1)).toBe('{"id":1}');
      }),
    );
  });

  it("yields null for a record that is too long, and continues after it", async () => {
    const long = JSON.stringify({ id: 1, body: "x".repeat(MAX_RECORD) });
    const expected = ['{"id":0}', null, '{"id":2}'];
    expect(await cut(`{"id":0}\n${long}\n{"id":2}\n`, [65_536])).toEqual(expected);
    expect(await cut(`[{"id":0},${long},{"id":2}]`, [65_536])).toEqual(expected);
  });

  it("yields the rest of a truncated text", async () => {
    expect(await cut('{"id":1}\n{"id":2')).toEqual(['{"id":1}', '{"id":2']);
    expect(await cut('[{"id":1},{"id":2')).toEqual(['{"id":1}', '{"id":2']);
    expect(await cut(" \n ")).toEqual([]);
  });
});

describe("readRetryAfter", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const cases: [string | null, number | null][] = [
    ["30", 30],
    [" 0 ", 0],
    ["Thu, 01 Jan 2026 00:01:30 GMT", 90],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
    ["", null],
    [null, null],
  ];
  it.each(cases)("%s: %s seconds", (value, seconds) => expect(readRetryAfter(value, now)).toBe(seconds));
});
