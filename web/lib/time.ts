/**
 * Numbers as text, in English. Not by `Intl`: its first use takes a phone 100 ms, at a time when it should show the first
 * pictures.
 */

/** "12,345". */
export const count = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** "1 post", "2,000 posts". */
export const counted = (number: number, noun: string): string => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
export const postsInWords = (number: number): string => counted(number, "post");

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

export const twoDigits = (number: number): string => String(Math.floor(number)).padStart(2, "0");

/** "0:12", of seconds. */
export const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
