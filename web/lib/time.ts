/** Times and numbers in words, by the browser's own rules. */
const LANGUAGE = "en";
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" });
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** "3 days ago". */
export function ago(time: string | Date, now: number = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? (["second", 1] as const);
  return unit === "second" ? "just now" : relative.format(Math.round(seconds / length), unit);
}

const full = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "long", timeStyle: "short" });
/** "22 November 2026 at 11:44". */
export const inFull = (time: string): string => full.format(new Date(time));

const whole = new Intl.NumberFormat(LANGUAGE);
/** "12,345". */
export const count = (number: number): string => whole.format(number);

/** "1 post", "2,000 posts". */
export const postsInWords = (number: number): string => `${count(number)} ${number === 1 ? "post" : "posts"}`;
const short = new Intl.NumberFormat(LANGUAGE, { notation: "compact", maximumFractionDigits: 1 });
/** "12.3K". */
export const shortCount = (number: number): string => short.format(number);

const KB = 1024;
/** "1.4 MB"; in steps of 1024, as file managers and other boards count. */
export function bytes(size: number): string {
  const [unit, factor] = size >= KB * KB ? ["MB", KB * KB] : size >= KB ? ["KB", KB] : ["B", 1];
  return `${(size / factor).toLocaleString(LANGUAGE, { maximumFractionDigits: 1 })} ${unit}`;
}

/** "0:12", of seconds. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
