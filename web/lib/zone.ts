/** The name of the browser's time zone in the tz database. */
export const zoneOfBrowser = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether the browser knows a time zone by its name: the tz database changes, and browsers are updated later or never. */
export function knowsZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name }).format();
    return true;
  } catch {
    return false;
  }
}
