/** How pages look, stored in a cookie that both server and browser read, so that the first page has it too. */
export const CHOICES = {
  theme: ["auto", "light", "dark"],
  rows: ["medium", "compact", "large"],
  tiles: ["shaped", "square"],
  /** the ratings whose pictures are blurred until opened */
  blur: ["clear", "explicit", "unsafe"],
} as const;
export type Preference = keyof typeof CHOICES;

/** The preferences in a cookie's text, with defaults for missing ones. */
export function readPreferences(cookie: string): Record<Preference, string> {
  const [, text = ""] = /(?:^|;\s*)preferences=([\w.-]*)/.exec(cookie) ?? [];
  const words = text.split(".");
  const chosen = (name: Preference) =>
    words.find((word) => (CHOICES[name] as readonly string[]).includes(word)) ?? CHOICES[name][0];
  return { theme: chosen("theme"), rows: chosen("rows"), tiles: chosen("tiles"), blur: chosen("blur") };
}
