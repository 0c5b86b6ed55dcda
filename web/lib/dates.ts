/** Times as text, in English. `Intl`, whose first use takes a phone 100 ms, is used only for other time zones than the browser's. */
import { twoDigits } from "./time.js";

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

const SHOWN = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

/** The format of times in a zone; in UTC if the browser does not know the zone. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const options = { ...SHOWN, timeZone };
  try {
    return new Intl.DateTimeFormat("en-GB", options);
  } catch {
    return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
  }
}

let known: { zone: string; format: Intl.DateTimeFormat } | null = null;

/** "22 Nov 2026, 12:44 CET", of the zone if one is given; "22 Nov 2026, 11:44", of the browser's. */
export function inFull(time: string, zone?: string): string {
  const date = new Date(time);
  if (zone) {
    if (known?.zone !== zone) known = { zone, format: formatIn(zone) };
    return known.format.format(date);
  }
  const [, month, day, year] = date.toDateString().split(" ");
  return `${Number(day)} ${month} ${year}, ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}
