/** Sizes of the pictures that are made of a file, in pixels. */

/** A preview fits into a square of this size and is never larger than the original. */
export const PREVIEW_SIZE = 180;

/** A still picture wider than this has a sample of this width. */
export const SAMPLE_WIDTH = 850;

/** Width and height times a factor, in whole pixels, at least one. */
export const scaled = (width: number, height: number, factor: number): { width: number; height: number } => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});
