/** How large a post's picture is in lists, for the server's preloads and the tiles alike: so that both choose the same file. */
import type { readPreferences } from "./preferences.js";

type Preferences = ReturnType<typeof readPreferences>;

/** Height of a row of tiles in pixels, on most phones and elsewhere; as `parts/tile.css` has it. */
const ROWS = { medium: [100, 200], compact: [75, 140], large: [190, 300] } as const;
/** Wider and higher ones are cut, so that a row stays a row. */
const [NARROWEST, WIDEST] = [0.4, 3];
/** Tiles grow until their row is full; this is by how much, on the average. */
const GROWTH = 1.15;

/** Width of a tile, in parts of its height. */
export const shapeOf = ({ imageWidth, imageHeight }: { imageWidth: number; imageHeight: number }): number =>
  Math.min(Math.max(imageWidth / imageHeight, NARROWEST), WIDEST);

/** What `sizes` of a tile's picture says. */
export function sizesOf(shape: number, { rows, tiles }: Pick<Preferences, "rows" | "tiles">): string {
  const width = (tiles === "square" ? Math.max(shape, 1) : shape) * GROWTH;
  const [phone, other] = ROWS[rows as keyof typeof ROWS].map((height) => `${Math.round(height * width)}px`);
  const isWhole = rows === "large" && tiles === "shaped";
  return `(width < 640px) ${isWhole ? "100vw" : phone}, ${other}`;
}
