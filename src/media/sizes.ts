/** Sizes of derived pictures in pixels. */
import type { MediaInfo } from "./types.js";

/** Maximum width and height of a preview. */
export const PREVIEW_SIZE = 180;

/** WebP quality of the larger thumbnails by size: the smaller one is nearly always displayed scaled down. */
export const THUMBNAIL_QUALITY = { 360: 70, 720: 80 } as const;

/** Still pictures wider than this have a sample of this width. */
export const SAMPLE_WIDTH = 850;

/** Width and height times a factor, rounded, at least 1. */
export const scaled = (width: number, height: number, factor: number): { width: number; height: number } => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});

/** Size of a picture after shrinking it to fit into a square; never larger than it was. */
export const within = ({ width, height }: { width: number; height: number }, side: number) =>
  scaled(width, height, Math.min(1, side / width, side / height));

/** Limit of JPEG encoders. */
const JPEG_MAX_HEIGHT = 65_500;

/** Size of a file's sample; null without one: for animations, pictures that are not wider, and those too tall for a JPEG. */
export function sampleSize({ width, height, frames }: MediaInfo): { width: number; height: number } | null {
  if (frames > 1 || width <= SAMPLE_WIDTH) return null;
  const size = scaled(width, height, SAMPLE_WIDTH / width);
  return (height * SAMPLE_WIDTH) / width <= JPEG_MAX_HEIGHT ? size : null;
}
