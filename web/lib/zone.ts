/** The name of the browser's time zone in the tz database. */
export const zoneOfBrowser = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
