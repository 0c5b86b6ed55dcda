/** How the pages look to a browser, in a cookie that both read: so the first page looks so at once. */
export const CHOICES = {
  theme: ["auto", "light", "dark"],
  rows: ["medium", "compact", "large"],
  tiles: ["shaped", "square"],
  /** pictures of which ratings are blurred until they are opened */
  blur: ["clear", "explicit", "unsafe"],
} as const;
export type Preference = keyof typeof CHOICES;

/** The preferences in the text of a cookie, those by default for what is not there. */
export function readPreferences(cookie: string): Record<Preference, string> {
  const [, text = ""] = /(?:^|;\s*)preferences=([\w.-]*)/.exec(cookie) ?? [];
  const words = text.split(".");
  const chosen = (name: Preference) =>
    words.find((word) => (CHOICES[name] as readonly string[]).includes(word)) ?? CHOICES[name][0];
  return { theme: chosen("theme"), rows: chosen("rows"), tiles: chosen("tiles"), blur: chosen("blur") };
}
