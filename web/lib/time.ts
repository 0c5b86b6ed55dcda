/**
 * Times and numbers as text, in English. Not by `Intl`: its first use takes a phone 100 ms, at a time when it should show the
 * first pictures.
 */
const UNITS: readonly (readonly [unit: string, seconds: number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** "3 days ago"; in the larger unit from where the smaller would be rounded to it: never "60 minutes ago". */
export function ago(time: string | Date, now: number = Date.now()): string {
  const seconds = (now - new Date(time).getTime()) / 1000;
  const [unit, length] = UNITS.find(([, each], at) => seconds >= each - (UNITS[at + 1]?.[1] ?? 1) / 2) ?? ["", 0];
  const number = Math.round(seconds / length);
  return length === 0 ? "just now" : `${number} ${unit}${number === 1 ? "" : "s"} ago`;
}

const twoDigits = (number: number): string => String(Math.floor(number)).padStart(2, "0");

/** "22 Nov 2026, 11:44", in the time zone of the browser. */
export function inFull(time: string): string {
  const date = new Date(time);
  const [, month, day, year] = date.toDateString().split(" ");
  return `${Number(day)} ${month} ${year}, ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** "12,345". */
export const count = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** "1 post", "2,000 posts". */
export const postsInWords = (number: number): string => `${count(number)} ${number === 1 ? "post" : "posts"}`;

/** With at most one decimal. */
const rounded = (number: number): string => String(Number(number.toFixed(1)));

const MILLION = 1e6;
/** What would be rounded to a thousand thousands. */
const NEARLY_A_MILLION = 999_950;

/** "12.3K". */
export function shortCount(number: number): string {
  if (number < 1000) return String(number);
  return number < NEARLY_A_MILLION ? `${rounded(number / 1000)}K` : `${rounded(number / MILLION)}M`;
}

const KB = 1024;
/** What would be rounded to 1024 KB. */
const NEARLY_A_MB = 1023.95 * KB;
/** "1.4 MB"; in steps of 1024, as file managers and other boards count. */
export function bytes(size: number): string {
  const [unit, factor] = size >= NEARLY_A_MB ? ["MB", KB * KB] : size >= KB ? ["KB", KB] : ["B", 1];
  return `${rounded(size / factor)} ${unit}`;
}

/** "0:12", of seconds. */
export const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
