/** Browsers and systems by what their `User-Agent` contains; the first that is found, since many name others as well. */
const BROWSERS: readonly (readonly [token: string, name: string])[] = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["CriOS/", "Chrome"],
  ["Safari/", "Safari"],
];
const SYSTEMS: readonly (readonly [token: string, name: string])[] = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
];

/** "Firefox on Linux"; of a program, its name. @param userAgent the `User-Agent` header; may be empty */
export function browserOf(userAgent: string): string {
  const [program = ""] = userAgent.split(/[/ ]/, 1);
  if (program !== "" && program !== "Mozilla") return program;
  const named = (list: typeof BROWSERS) => list.find(([token]) => userAgent.includes(token))?.[1];
  const system = named(SYSTEMS);
  return `${named(BROWSERS) ?? "Unknown browser"}${system ? ` on ${system}` : ""}`;
}
