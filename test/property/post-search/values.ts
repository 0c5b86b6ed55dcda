/**
 * Random values of meta-tags that are compared, each with what it means. The meanings come with the making, so that nothing
 * of the product's reading of values is used here.
 */
import fc from "fast-check";
import { NOW } from "./board.js";

const SECOND = 1000;
const DAY = 86_400_000;

/** Whether a value (or none) of a post is meant. */
export type Test = (value: number | null) => boolean;

/** A number as it is written; `alone` is what it means without an operator, by default exactly itself. */
export interface Written {
  text: string;
  value: number;
  alone?: (value: number) => boolean;
}

export interface Meaning {
  text: string;
  test: Test;
}

/** Values that no meta-tag can read. */
export const GARBAGE = [
  "x%y",
  "{1,2}",
  "1..x",
  "><5",
  "nan",
  "1e9",
  "constructor",
  "__proto__",
  "..",
  "'",
  "0x10",
] as const;

const known =
  (test: (value: number) => boolean): Test =>
  (value) =>
    value !== null && test(value);

/** One value without commas, in one of the forms. */
function item(number: fc.Arbitrary<Written>): fc.Arbitrary<Meaning> {
  const one = (make: (written: Written) => Meaning): fc.Arbitrary<Meaning> => number.map(make);
  const two = (dots: string, test: (value: number, least: number, greatest: number) => boolean) =>
    fc.tuple(number, number).map(([a, b]): Meaning => {
      const [least, greatest] = a.value < b.value ? [a.value, b.value] : [b.value, a.value];
      return { text: `${a.text}${dots}${b.text}`, test: known((value) => test(value, least, greatest)) };
    });
  return fc.oneof(
    { weight: 4, arbitrary: one((n) => ({ text: n.text, test: known(n.alone ?? ((value) => value === n.value)) })) },
    { weight: 3, arbitrary: two("..", (value, least, greatest) => least <= value && value <= greatest) },
    { weight: 2, arbitrary: two("...", (value, least, greatest) => least <= value && value < greatest) },
    one((n) => ({ text: `<=${n.text}`, test: known((value) => value <= n.value) })),
    one((n) => ({ text: `..${n.text}`, test: known((value) => value <= n.value) })),
    one((n) => ({ text: `<${n.text}`, test: known((value) => value < n.value) })),
    one((n) => ({ text: `>=${n.text}`, test: known((value) => value >= n.value) })),
    one((n) => ({ text: `${n.text}..`, test: known((value) => value >= n.value) })),
    one((n) => ({ text: `>${n.text}`, test: known((value) => value > n.value) })),
    fc.constantFrom("any", "Any").map((text) => ({ text, test: known(() => true) })),
    fc.constant({ text: "none", test: (value: number | null) => value === null }),
  );
}

/** Any value: one item, a list, or something that can't be read. */
export function ranges(number: fc.Arbitrary<Written>): fc.Arbitrary<Meaning> {
  const list = fc.array(item(number), { minLength: 2, maxLength: 3 });
  const nothing: Test = () => false;
  return fc.oneof(
    { weight: 8, arbitrary: item(number) },
    {
      weight: 2,
      arbitrary: list.map((items): Meaning => {
        return { text: items.map(({ text }) => text).join(","), test: (v) => items.some(({ test }) => test(v)) };
      }),
    },
    fc.constantFrom(...GARBAGE).map((text): Meaning => ({ text, test: nothing })),
    item(number).map(({ text }): Meaning => ({ text: `${text},nonsense`, test: nothing })),
  );
}

const exactly = (values: number[]): fc.Arbitrary<Written> =>
  fc.constantFrom(...values).map((value) => ({ text: String(value), value }));

/** Whole numbers round those that occur, and some that no column can hold. */
export const whole = (...occurring: number[]): fc.Arbitrary<Written> =>
  exactly([
    ...new Set(occurring.flatMap((n) => [n - 1, n, n + 1])),
    -5,
    2_147_483_647,
    2_147_483_648,
    99_999_999_999,
    -99_999_999_999,
  ]);

const within = (value: number, other: number): boolean => value * 0.95 <= other && other <= value * 1.05;

/** Written with a digit before the point: `0...1` is without the 1, not up to .1. */
export const megapixels: fc.Arbitrary<Written> = fc
  .constantFrom("0.01", "0.04", "0.0421", "0.09", "0.1", "0.2025", "0.21", "1", "2", "0")
  .map((text) => {
    const value = Number(text) * 1_000_000;
    return { text, value, alone: (pixels) => within(value, pixels) };
  });

/** Width by height in hundredths. */
export const ratio: fc.Arbitrary<Written> = fc
  .constantFrom<[string, number]>(
    ["1:1", 100],
    ["1", 100],
    ["2:1", 200],
    ["3/2", 150],
    ["4:3", 133],
    ["1.333", 133],
    ["9:8", 113],
    ["1.125", 113],
    ["0.44", 44],
    ["4:9", 44],
    ["0.1", 10],
    ["10", 1000],
  )
  .map(([text, value]) => ({ text, value }));

export const fileSize: fc.Arbitrary<Written> = fc
  .constantFrom<[string, number, number, number]>(
    ["1", 1, 1, 1],
    ["1023", 1023, 1023, 1023],
    ["1024", 1024, 1024, 1024],
    ["1024b", 1024, 1024, 1024],
    ["1k", 1024, 973, 1075],
    ["1KB", 1024, 973, 1075],
    ["20k", 20_480, 19_456, 21_504],
    ["1m", 1_048_576, 996_148, 1_101_004],
    ["0.5m", 524_288, 498_074, 550_502],
    ["9g", 9_663_676_416, 9_180_492_596, 10_146_860_236],
  )
  .map(([text, value, least, greatest]) => ({ text, value, alone: (size) => least <= size && size <= greatest }));

export const duration: fc.Arbitrary<Written> = fc
  .constantFrom<[string, number]>(
    ["0.5", 0.5],
    ["30", 30],
    ["30s", 30],
    ["90", 90],
    ["1:30", 90],
    ["1m30s", 90],
    ["1m30", 90],
    ["1mi", 60],
    ["10:00", 600],
    ["0:10:00", 600],
    ["1h", 3600],
  )
  .map(([text, value]) => ({ text, value, alone: (seconds) => within(value, seconds) }));

const iso = (time: number, length: number): string => new Date(time).toISOString().slice(0, length);

/** Days, months, years and instants of the last weeks, and dates at the ends of the calendar. */
export const date: fc.Arbitrary<Written> = fc.oneof(
  fc.nat(42).chain((days) => {
    const day = Math.floor(NOW.getTime() / DAY) * DAY - days * DAY;
    const until = (end: number) => (time: number) => day <= time && time < end;
    return fc.constantFrom<Written>(
      { text: iso(day, 10), value: day, alone: until(day + DAY) },
      { text: iso(day, 10).replace(/-0?/g, "/"), value: day, alone: until(day + DAY) },
      { text: `${iso(day, 10)}T00:00`, value: day, alone: until(day + DAY) },
      { text: `${iso(day, 10)}T02:00+02:00`, value: day, alone: until(day + DAY) },
      { text: `${iso(day, 10)}T12:00`, value: day + DAY / 2, alone: until(day + DAY) },
    );
  }),
  fc
    .constantFrom<[string, number, number]>(
      ["2026-03", Date.UTC(2026, 2), Date.UTC(2026, 3)],
      ["2026-02", Date.UTC(2026, 1), Date.UTC(2026, 2)],
      ["2026", Date.UTC(2026, 0), Date.UTC(2027, 0)],
      ["today", Date.UTC(2026, 2, 31), Date.UTC(2026, 3, 1)],
      ["Yesterday", Date.UTC(2026, 2, 30), Date.UTC(2026, 2, 31)],
      ["0001-01-01", Date.parse("0001-01-01T00:00:00Z"), Date.parse("0001-01-02T00:00:00Z")],
      ["9999-12-31", Date.parse("9999-12-31T00:00:00Z"), Date.parse("9999-12-31T00:00:00Z") + DAY],
    )
    .map(([text, value, end]) => ({ text, value, alone: (time: number) => value <= time && time < end })),
);

const UNITS: readonly [string, number][] = [
  ["", SECOND],
  ["s", SECOND],
  ["mi", 60 * SECOND],
  ["min", 60 * SECOND],
  ["m", 60 * SECOND],
  ["h", 3600 * SECOND],
  ["hours", 3600 * SECOND],
  ["d", DAY],
  ["D", DAY],
  ["w", 7 * DAY],
];

const midnight = (time: number): number => Math.floor(time / DAY) * DAY;

const written = (text: string, value: number): Written => ({
  text,
  value,
  alone: (other) => midnight(NOW.getTime() - other) === midnight(NOW.getTime() - value),
});

/** Ages in milliseconds; on its own, an age is the calendar day that it leads to. */
export const age: fc.Arbitrary<Written> = fc.oneof(
  fc
    .tuple(fc.nat(40), fc.constantFrom(...UNITS))
    .map(([count, [unit, length]]) => written(`${count}${unit}`, count * length)),
  fc.constantFrom(
    written("1d12h", 1.5 * DAY),
    written("1w1d", 8 * DAY),
    written("1mo", NOW.getTime() - Date.parse("2026-02-28T12:30:00Z")),
    written("1y", NOW.getTime() - Date.parse("2025-03-31T12:30:00Z")),
    written("9999y", NOW.getTime() - Date.parse("0001-01-01T00:00:00Z")),
  ),
);
