/** Sizes of a post's picture in lists and on its page; server and pages share them, so that both choose the same file. */
import type { readPreferences } from "./preferences.js";

type Preferences = ReturnType<typeof readPreferences>;

/** Height of a row of tiles in pixels, on most phones and elsewhere; as `parts/tile.css` has it. */
const ROWS = { medium: [100, 200], compact: [75, 140], large: [190, 300] } as const;
/** Wider and taller pictures are cropped, so that rows stay even. */
const [NARROWEST, WIDEST] = [0.4, 3];
/** Tiles grow until their row is full; this is the average factor. */
const GROWTH = 1.15;

/** Width of a tile, relative to its height. */
export const shapeOf = ({ imageWidth, imageHeight }: { imageWidth: number; imageHeight: number }): number =>
  Math.min(Math.max(imageWidth / imageHeight, NARROWEST), WIDEST);

/**
 * The share of a tile's width given as `sizes` to browsers of phones, by their device pixels per CSS pixel, so that they choose a file
 * with 1.8 pixels for each. More is not visible in a tile, and the file would be four times as large.
 */
const ENOUGH = { "(width < 640px) and (min-resolution: 2.5dppx)": 0.6, "(width < 640px)": 0.9 } as const;

/** The `sizes` of a tile's picture. */
export function sizesOf(shape: number, { rows, tiles }: Pick<Preferences, "rows" | "tiles">): string {
  const width = (tiles === "square" ? Math.max(shape, 1) : shape) * GROWTH;
  const [phone, other] = ROWS[rows as keyof typeof ROWS].map((height) => height * width) as [number, number];
  const isWhole = rows === "large" && tiles === "shaped";
  const size = (part: number) => (isWhole ? `${100 * part}vw` : `${Math.round(phone * part)}px`);
  const phones = Object.entries(ENOUGH).map(([screen, part]) => `${screen} ${size(part)}`);
  return [...phones, `${Math.round(other)}px`].join(", ");
}

/** How many tiles are in the first view of most windows: their pictures are loaded before everything else of the gallery. */
export const FIRST_VIEW = 24;

/** Space around the picture on its page, in pixels, on phones and elsewhere; as in `pages/post/*.css`. */
const [PHONE, OTHER] = [
  { beside: 24, above: 120 },
  { beside: 296, above: 176 },
];
/** Width of a sample in pixels. */
const SAMPLE_WIDTH = 850;

interface Pictured {
  imageWidth: number;
  imageHeight: number;
  largeFileUrl: string | null;
  hasLarge: boolean;
  thumbnail: { srcSet: string } | null;
}

/**
 * The file of a post's picture for its page: a sample, or a thumbnail that is large enough.
 * @param isInWindow whether it is fitted to the height of the window
 */
export function pictureOf(post: Pictured, isInWindow = true): { src: string; srcSet?: string; sizes?: string } {
  const { imageWidth, imageHeight, largeFileUrl, hasLarge, thumbnail } = post;
  const src = largeFileUrl ?? "";
  if (!hasLarge || !thumbnail) return { src };
  const shape = (imageWidth / imageHeight).toFixed(4);
  const width = ({ beside, above }: typeof PHONE) =>
    `min(100vw - ${beside}px, ${imageWidth}px${isInWindow ? `, (100vh - ${above}px) * ${shape}` : ""})`;
  return {
    src,
    srcSet: `${thumbnail.srcSet}, ${src} ${SAMPLE_WIDTH}w`,
    sizes: `(width < 900px) ${width(PHONE)}, ${width(OTHER)}`,
  };
}
