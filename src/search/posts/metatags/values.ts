/** The kinds of values of meta-tags: integers, decimals, sizes, ratios, dates, ages. */
import { sql } from "../../../database/client.js";
import { calendarDay, EARLIEST, LATEST, parseAge, parseDate } from "./time.js";
import { between, type Measure, roughly, type Span } from "./ranges.js";
import { MAX_INT } from "../../../lib/integers.js";

/** What is made of a parsed value; null for null. */
const ifValid = <T, U>(value: T | null, make: (value: T) => U): U | null => (value === null ? null : make(value));

const MIN_INT = -2_147_483_648;
const parseInteger = (text: string): number | null => (/^[+-]?\d+$/.test(text) ? Number(text) : null);

const parseDecimal = (text: string): number | null =>
  /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : null;

const INT4 = { sqlType: sql`int`, literal: String, limits: [MIN_INT, MAX_INT] } as const;

export const INTEGER: Measure = {
  name: "whole number",
  form: "12, -3",
  parse: parseInteger,
  ...INT4,
};

const negate = ({ from, to }: Span): Span => ({
  from: to && { value: -to.value, inclusive: to.inclusive },
  to: from && { value: -from.value, inclusive: from.inclusive },
});

/** Integers that are stored as negative numbers. */
export const NEGATED_INTEGER: Measure = { ...INTEGER, turn: negate };

const UNITS: Record<string, number> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

function parseFileSize(text: string): { bytes: number; hasUnit: boolean } | null {
  const match = /^(\d+(?:\.\d+)?|\.\d+)([kmg]?)b?$/i.exec(text);
  if (!match) return null;
  const unit = UNITS[(match[2] ?? "").toLowerCase()];
  return { bytes: Math.trunc(Number(match[1]) * (unit ?? 1)), hasUnit: unit !== undefined };
}

/** Within five percent of a whole number. */
const roughlyWhole = (value: number): Span => between(Math.ceil(value * 0.95), Math.floor(value * 1.05), true);

/** A single value with a unit means approximately that size. */
export const FILE_SIZE: Measure = {
  name: "size",
  form: "bytes, or with k, m or g (1024-based): 200k, 1.5mb",
  alone: "with a unit, within 5 %",
  parse: (text) => parseFileSize(text)?.bytes ?? null,
  bare: (text) =>
    ifValid(parseFileSize(text), ({ bytes, hasUnit }) => (hasUnit ? roughlyWhole(bytes) : between(bytes, bytes, true))),
  ...INT4,
};

const parsePixels = (text: string): number | null =>
  ifValid(parseDecimal(text), (millions) => Math.round(millions * 1_000_000));

/** Pixels, given in millions. They are compared as a bigint like the indexed column, since a decimal would not use the index. */
export const MEGAPIXELS: Measure = {
  name: "megapixels",
  form: "2, 0.5",
  alone: "within 5 %",
  parse: parsePixels,
  bare: (text) => ifValid(parsePixels(text), roughlyWhole),
  sqlType: sql`bigint`,
  literal: String,
  limits: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
};

/** Rounds a decimal by its digits: 1.005 becomes 1.01, although the nearest double is less. */
const roundWritten = (text: string): number => Math.round(Number(`${text}e2`)) / 100;

function parseRatio(text: string): number | null {
  const parts = /^(\d+(?:\.\d+)?)[:/](\d+(?:\.\d+)?)$/.exec(text);
  if (!parts) return parseDecimal(text) === null ? null : roundWritten(text);
  const [width, height] = [Number(parts[1]), Number(parts[2])];
  const ratio = Math.round((width * 100) / height) / 100;
  return Number.isFinite(ratio) ? ratio : null;
}

/** Width by height, to two places. */
export const RATIO: Measure = {
  name: "ratio",
  form: "16:9, 16/9, 1.78",
  alone: "equal when rounded to two places",
  parse: parseRatio,
  sqlType: sql`numeric`,
  literal: String,
};

const HOURS_MINUTES_SECONDS = /^(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/;
const WITH_UNITS = /^(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)mi?)?(?:(\d+(?:\.\d+)?)s?)?$/i;

/** Seconds of `90`, `1m30s` or `1:30`. */
function parseDuration(text: string): number | null {
  const match = HOURS_MINUTES_SECONDS.exec(text) ?? (text === "" ? null : WITH_UNITS.exec(text));
  if (!match) return null;
  const [hours, minutes, seconds] = [match[1], match[2], match[3]].map((part) => Number(part ?? 0));
  return (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
}

/** Playing time, in seconds. */
export const DURATION: Measure = {
  name: "duration",
  form: "90 (seconds), 1m30s, 1:30",
  alone: "within 5 %",
  parse: parseDuration,
  bare: (text) => ifValid(parseDuration(text), roughly),
  sqlType: sql`float8`,
  literal: String,
};

/** Every kind of value, for the documentation. */
export const measures = (now: Date): readonly Measure[] => [
  INTEGER,
  MEGAPIXELS,
  RATIO,
  FILE_SIZE,
  DURATION,
  dateMeasure(now),
  ageMeasure(now),
];

const INSTANT = {
  sqlType: sql`timestamptz`,
  literal: (value: number) => new Date(value).toISOString(),
  limits: [EARLIEST, LATEST],
} as const;

/** Instants, in milliseconds. A single date is the whole day (month, year); as an end of a range, it is its first instant. */
export const dateMeasure = (now: Date): Measure => ({
  name: "date",
  form: "2026-01-31, 2026-01, 2026, 2026-01-31T10:30+02:00, today, yesterday",
  alone: "the whole day, month or year (UTC); as a bound, its first instant",
  parse: (text) => parseDate(text, now)?.start ?? null,
  bare: (text) => ifValid(parseDate(text, now), ({ start, end }) => between(calendarDay(start).start, end, false)),
  ...INSTANT,
});

/** The day of an instant, negated. */
function wholeDay(instant: number): Span {
  const { start, end } = calendarDay(instant);
  return between(1 - end, -start, true);
}

/**
 * Ages, compared as instants. They are parsed as negated instants, which increase with the age, so that the ends of ranges
 * are ordered and excluded as written; `turn` converts them to instants. A single age is the calendar day at that age.
 */
export const ageMeasure = (now: Date): Measure => ({
  name: "age",
  form: "numbers with s, mi (m), h, d, w, mo, y: 3d, 1h30m",
  alone: "the whole day (UTC) that long ago",
  parse: (text) => ifValid(parseAge(text, now), (instant) => -instant),
  bare: (text) => ifValid(parseAge(text, now), wholeDay),
  turn: negate,
  ...INSTANT,
});
