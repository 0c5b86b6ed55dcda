/** Sizes of the pictures that are made of a file, in pixels. */
import type { MediaInfo } from "./types.js";

/** A preview fits into a square of this size and is never larger than the original. */
export const PREVIEW_SIZE = 180;

/** Quality of the larger thumbnails, WebPs, by their side: the smaller is nearly always shown smaller than it is. */
export const THUMBNAIL_QUALITY = { 360: 70, 720: 80 } as const;

/** A still picture wider than this has a sample of this width. */
export const SAMPLE_WIDTH = 850;

/** Width and height times a factor, in whole pixels, at least one. */
export const scaled = (width: number, height: number, factor: number): { width: number; height: number } => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});

/** Size of a picture that is shrunk to fit into a square; its own where it does. */
export const within = ({ width, height }: { width: number; height: number }, side: number) =>
  scaled(width, height, Math.min(1, side / width, side / height));

/** What the JPEG format and its encoders can hold, in pixels. */
const JPEG_MAX_HEIGHT = 65_500;

/** Size of a file's sample; null when it has none: only still pictures do that are wider, and not so tall that no JPEG could hold it. */
export function sampleSize({ width, height, frames }: MediaInfo): { width: number; height: number } | null {
  if (frames > 1 || width <= SAMPLE_WIDTH) return null;
  const size = scaled(width, height, SAMPLE_WIDTH / width);
  return (height * SAMPLE_WIDTH) / width <= JPEG_MAX_HEIGHT ? size : null;
}
