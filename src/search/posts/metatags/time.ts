/** Parses dates and ages in searches, in UTC, so that a search means the same for everybody. */

const DAY = 86_400_000;

/** As Date.UTC, but years below 100 are not in the twentieth century. */
const utc = (year: number, month: number, day: number): number => new Date(0).setUTCFullYear(year, month, day);

/** The range of ISO dates. */
export const EARLIEST = utc(1, 0, 1);
export const LATEST = utc(10_000, 0, 1) - 1;

/** A half-open interval, in milliseconds. */
export interface Period {
  start: number;
  end: number;
}

export function calendarDay(instant: number): Period {
  const start = Math.floor(instant / DAY) * DAY;
  return { start, end: start + DAY };
}

/** year [month [day [time [zone]]]] */
const DATE =
  /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2})(?:[T\s](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?)?)?$/i;

/**
 * The period of a date: a day, or a month or year if the rest is omitted. With a time of day, `start` is that
 * instant and `end` the end of its day. Null if the date does not exist.
 */
export function parseDate(text: string, now: Date): Period | null {
  const word = text.toLowerCase();
  if (word === "today") return calendarDay(now.getTime());
  if (word === "yesterday") return calendarDay(now.getTime() - DAY);
  const match = DATE.exec(text);
  if (!match) return null;
  const [year, month, day] = [match[1], match[2], match[3]].map((part) => (part === undefined ? null : Number(part)));
  if (!year || month === 0) return null;
  if (typeof month !== "number") return { start: utc(year, 0, 1), end: utc(year + 1, 0, 1) };
  if (month > 12) return null;
  if (typeof day !== "number") return { start: utc(year, month - 1, 1), end: utc(year, month, 1) };
  const start = utc(year, month - 1, day);
  if (new Date(start).getUTCDate() !== day) return null;
  return match[4] === undefined ? { start, end: start + DAY } : atTime(start, match);
}

function atTime(day: number, match: RegExpExecArray): Period | null {
  const [hours, minutes, seconds] = [match[4], match[5], match[6]].map((part) => Number(part ?? 0));
  const milliseconds = Number((match[7] ?? "").padEnd(3, "0"));
  if (hours === undefined || minutes === undefined || seconds === undefined) return null;
  if (minutes > 59 || seconds > 60) return null;
  const time = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
  if (hours > 23 && time !== DAY) return null; // 24:00 is the end of the day
  const local = day + time;
  const start = local - zoneOffset(match[8] ?? "Z");
  return { start, end: calendarDay(start).end };
}

function zoneOffset(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (!match) return 0;
  return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000;
}

/** Units in descending order: their names, and months or milliseconds. */
const AGE_UNITS: readonly { spelling: RegExp; months?: number; milliseconds?: number }[] = [
  { spelling: /^y(r|rs|ear|ears)?$/, months: 12 },
  { spelling: /^mo(n|ns|nth|nths)?$/, months: 1 },
  { spelling: /^w(k|ks|eek|eeks)?$/, milliseconds: 7 * DAY },
  { spelling: /^d(ay|ays)?$/, milliseconds: DAY },
  { spelling: /^h(r|rs|our|ours)?$/, milliseconds: 3_600_000 },
  { spelling: /^m(i|in|ins|inute|inutes)?$/, milliseconds: 60_000 },
  { spelling: /^(s|sec|secs|second|seconds)?$/, milliseconds: 1000 },
];

/** More than any age, in any unit, without losing precision. */
const FOR_EVER = 1e14;

/**
 * The instant at an age: `3d`, `1h30m` (units in descending order), seconds without a unit. Months and years are those of
 * the calendar. Instants before the year 1 are clamped to it. Null if the age is invalid.
 */
export function parseAge(text: string, now: Date): number | null {
  const compact = text.toLowerCase().replace(/\s+/g, "");
  const parts = [...compact.matchAll(/(\d+(?:\.\d+)?)([a-z]*)/g)];
  if (compact === "" || parts.map(([part]) => part).join("") !== compact) return null;
  let [months, milliseconds, last] = [0, 0, -1];
  for (const [, amount, letters] of parts) {
    const index = AGE_UNITS.findIndex((unit) => unit.spelling.test(letters ?? ""));
    if (index <= last) return null;
    last = index;
    const count = Math.min(Number(amount), FOR_EVER);
    months += count * (AGE_UNITS[index]?.months ?? 0);
    milliseconds += count * (AGE_UNITS[index]?.milliseconds ?? 0);
  }
  if (!Number.isInteger(months)) return null;
  const instant = monthsBefore(now, months) - milliseconds;
  return instant >= EARLIEST ? instant : EARLIEST;
}

/** The same day of the month, or the last one of a shorter month; not a number before the first date of a `Date`. */
function monthsBefore(now: Date, months: number): number {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const lastDay = new Date(utc(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
