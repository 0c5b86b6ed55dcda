/** Records of a dump as they are read. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DumpSource } from "../../src/operations/import/dump.js";
import { SHAPES } from "../../src/operations/import/records.js";
import { MAX_RECORD } from "../../src/operations/import/text.js";
import { Folder } from "../support/folder.js";

const zone = process.env.TZ;
beforeAll(() => void (process.env.TZ = "America/New_York"));
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const readTime = (created_at: string): string | undefined =>
  SHAPES.tags.parse({ id: 1, name: "sea", category: 0, created_at }).created_at?.toISOString();

describe("a time of a dump", () => {
  it.each([
    ["2024-03-10 02:30:00", "2024-03-10T02:30:00.000Z"], // which New York skipped
    ["2024-02-29T12:00:00.123456", "2024-02-29T12:00:00.123Z"],
    ["2024-07-01 12:00:00.5", "2024-07-01T12:00:00.500Z"],
    ["2024-07-01", "2024-07-01T00:00:00.000Z"],
    ["2024-07-01 12:00:00 UTC", "2024-07-01T12:00:00.000Z"],
    ["2024-07-01T12:00:00.000-04:00", "2024-07-01T16:00:00.000Z"],
  ])("%s is in UTC unless it names a zone, wherever the board is", (text, time) => {
    expect(readTime(text)).toBe(time);
  });

  it("is now at the latest, and not before 1970", () => {
    const before = new Date().toISOString();
    const read = readTime("2999-01-01T00:00:00Z") ?? "";
    expect([before <= read, read <= new Date().toISOString()]).toEqual([true, true]);
    expect(readTime("1970-01-01T00:00:00Z")).toBe("1970-01-01T00:00:00.000Z");
    expect(() => readTime("1969-12-31T23:59:59Z")).toThrow("expected a time");
  });
});

it("records of a dump are read in batches, which are smaller where they are long", async () => {
  await using folder = await Folder.make();
  const record = (id: number, length: number) => `${JSON.stringify({ id, body: "x".repeat(length) })}\n`;
  const long = [1, 2, 3, 4, 5].map((id) => record(id, 0.6 * MAX_RECORD));
  await folder.write("tags.json", [...long, record(6, 10), record(7, 10)].join(""));
  const lengths: number[] = [];
  for await (const { records } of (await DumpSource.open(folder.path)).batches("tags")) lengths.push(records.length);
  expect(lengths).toEqual([2, 2, 3]);
});
