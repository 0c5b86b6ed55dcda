/** Three characters made of circles and curves, who recur in several pictures. */
import type { Scene } from "./landscapes.js";
import { circle, ellipse, gradient, path, picture, rect } from "./svg.js";

/** The features of a character. */
export interface Person {
  skin: string;
  shade: string;
  hair: string;
  eyes: string;
  clothes: string;
  style: "long" | "short" | "bun";
}

/** Everybody. */
export const people = {
  ada: { skin: "#f3c9a5", shade: "#e0a882", hair: "#7b3f2b", eyes: "#3e7a5e", clothes: "#3f6c8f", style: "long" },
  bruno: { skin: "#a9714b", shade: "#8d5a38", hair: "#231815", eyes: "#3a2416", clothes: "#c8683f", style: "short" },
  cleo: { skin: "#fbe3d2", shade: "#eec2ae", hair: "#e2b04a", eyes: "#3f74b5", clothes: "#7a4f8f", style: "bun" },
} satisfies Record<string, Person>;

/** Who may be drawn. */
export type PersonName = keyof typeof people;

/** A person to be drawn: the head's middle and its radius in pixels. */
interface Sitter {
  x: number;
  y: number;
  r: number;
  person: Person;
}

function backHair({ x, y, r, person: { hair, style } }: Sitter): string {
  if (style === "long")
    return path(
      `M${x - r * 1.15} ${y}A${r * 1.15} ${r * 1.2} 0 0 1 ${x + r * 1.15} ${y}L${x + r * 1.25} ${y + r * 2.1}Q${x} ${y + r * 2.6} ${x - r * 1.25} ${y + r * 2.1}Z`,
      hair,
    );
  const bun = style === "bun" ? circle(x, y - r * 1.28, r * 0.45, hair) : "";
  return bun + circle(x, y - r * 0.12, r * 1.1, hair);
}

function frontHair({ x, y, r, person: { hair, style } }: Sitter): string {
  const part = style === "short" ? 0.5 : style === "bun" ? 0 : -0.35;
  const from = `M${x - r * 1.06} ${y - r * 0.05}A${r * 1.06} ${r * 1.08} 0 0 1 ${x + r * 1.06} ${y - r * 0.05}`;
  return path(
    `${from}Q${x + r * 0.85} ${y - r * 0.5} ${x + r * part} ${y - r * 0.72}Q${x - r * 0.85} ${y - r * 0.5} ${x - r * 1.06} ${y - r * 0.05}Z`,
    hair,
  );
}

function body({ x, y, r, person: { clothes, skin, shade } }: Sitter, bottom: number): string {
  const top = y + r * 1.35;
  const shoulders = `M${x - r * 2} ${bottom}Q${x - r * 1.9} ${top + r * 0.2} ${x - r * 0.5} ${top}L${x + r * 0.5} ${top}Q${x + r * 1.9} ${top + r * 0.2} ${x + r * 2} ${bottom}Z`;
  return (
    path(shoulders, clothes) +
    rect(x - r * 0.32, y + r * 0.6, r * 0.64, r, shade) +
    path(`M${x - r * 0.5} ${top}Q${x} ${top + r * 0.75} ${x + r * 0.5} ${top}Z`, skin)
  );
}

function face({ x, y, r, person: { skin, shade, eyes, hair } }: Sitter, smiling: boolean): string {
  const eye = (side: number): string =>
    ellipse(x + side * r * 0.38, y + r * 0.08, r * 0.17, r * 0.13, "#ffffff") +
    circle(x + side * r * 0.38, y + r * 0.08, r * 0.1, eyes) +
    circle(x + side * r * 0.38, y + r * 0.08, r * 0.05, "#1a1414") +
    path(
      `M${x + side * r * 0.2} ${y - r * 0.2}Q${x + side * r * 0.4} ${y - r * 0.32} ${x + side * r * 0.6} ${y - r * 0.18}`,
      "none",
      hair,
      r * 0.06,
    );
  const mouth = smiling ? 0.3 : 0.06;
  return (
    ellipse(x, y, r * 0.95, r * 1.08, skin) +
    circle(x - r * 0.55, y + r * 0.4, r * 0.18, shade, "0.5") +
    circle(x + r * 0.55, y + r * 0.4, r * 0.18, shade, "0.5") +
    eye(-1) +
    eye(1) +
    path(
      `M${x} ${y + r * 0.15}Q${x + r * 0.14} ${y + r * 0.38} ${x - r * 0.02} ${y + r * 0.4}`,
      "none",
      shade,
      r * 0.06,
    ) +
    path(
      `M${x - r * 0.28} ${y + r * 0.62}Q${x} ${y + r * (0.62 + mouth)} ${x + r * 0.28} ${y + r * 0.62}`,
      "none",
      "#a4454a",
      r * 0.07,
    )
  );
}

function glasses({ x, y, r }: Sitter): string {
  const lens = (side: number): string =>
    circle(x + side * r * 0.38, y + r * 0.08, r * 0.27, "none").replace(
      "/>",
      ` stroke="#2b2b33" stroke-width="${r * 0.06}"/>`,
    );
  return (
    lens(-1) +
    lens(1) +
    path(`M${x - r * 0.12} ${y + r * 0.05}L${x + r * 0.12} ${y + r * 0.05}`, "none", "#2b2b33", r * 0.06)
  );
}

/** What a portrait shows beside who it is. */
export interface Look {
  smiling?: boolean;
  glasses?: boolean;
}

/** One person, or several side by side, before a halo of light. */
export function drawPortrait(names: readonly PersonName[], scene: Scene, look: Look = {}): string {
  const { width, height, palette } = scene;
  const r = Math.min(width / (names.length * 3.6), height / 5);
  const sitters = names.map((name, index): Sitter => ({
    x: (width * (index + 1)) / (names.length + 1),
    y: height * 0.46,
    r,
    person: people[name],
  }));
  const halo = circle(width / 2, height * 0.44, Math.min(width, height) * 0.42, palette.light, "0.45");
  const drawn = sitters.map((sitter) =>
    [
      backHair(sitter),
      body(sitter, height),
      face(sitter, look.smiling ?? false),
      frontHair(sitter),
      look.glasses ? glasses(sitter) : "",
    ].join(""),
  );
  return picture(
    scene,
    gradient("ground", palette.sky),
    rect(0, 0, width, height, "url(#ground)") + halo + drawn.join(""),
  );
}
