/** The colours of `tokens.css`: sufficient contrast of texts and lines, in both themes. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../../../web/style/tokens.css", import.meta.url), "utf8");

/** Each colour, light and dark. */
const tokens = new Map(
  [...css.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/gi)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);
type Theme = "light" | "dark";

/** Relative luminance by WCAG 2, 0 to 1. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: Theme): number {
  const [dim = 0, bright = 0] = [one, other]
    .map((name) => luminance(tokens.get(name)?.[theme] ?? "#000000"))
    .sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

const TEXTS = ["ink", "quiet", "accent", "bad", "good", "artist", "copyright", "character", "general", "meta"];
const PAPERS = ["ground", "surface"];
/** of texts, on what they stand on */
const LEAST = { light: 5.1, dark: 6.9 } as const;

const pairs = (["light", "dark"] as const).flatMap((theme) =>
  TEXTS.flatMap((text) => PAPERS.map((paper) => [theme, text, paper] as const)),
);

describe("tokens.css", () => {
  it("has a light and a dark value for each colour", () => {
    for (const name of [...TEXTS, ...PAPERS, "sunken", "line", "focus", "on-accent"])
      expect([name, tokens.has(name)]).toEqual([name, true]);
  });

  it.each(pairs)("%s: %s is readable on %s", (theme, text, paper) => {
    expect(contrast(text, paper, theme)).toBeGreaterThanOrEqual(LEAST[theme]);
  });

  it.each(["light", "dark"] as const)("%s: selected and hovered list items are readable", (theme) => {
    for (const text of TEXTS) expect([text, contrast(text, "sunken", theme) >= 4.5]).toEqual([text, true]);
  });

  it.each(["light", "dark"] as const)(
    "%s: buttons are readable, and borders of controls and the focus are visible",
    (theme) => {
      expect(contrast("on-accent", "accent", theme)).toBeGreaterThanOrEqual(4.5);
      for (const paper of PAPERS) {
        expect(contrast("line", paper, theme)).toBeGreaterThanOrEqual(3);
        expect(contrast("focus", paper, theme)).toBeGreaterThanOrEqual(3);
      }
    },
  );
});
