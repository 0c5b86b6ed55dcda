/** The configuration of sharp and libvips: only the accepted formats, one thread, no cache. */
import sharp, { type ResizeOptions, type Sharp, type SharpOptions } from "sharp";
import type { MediaInfo } from "./types.js";

/** The loaders of the accepted formats. Other formats that libvips can read (SVG, TIFF, PDF ...) stay disabled. */
const LOADERS = ["Jpeg", "Png", "Nsgif", "Webp", "Heif"].map((format) => `VipsForeignLoad${format}`);

/** Disables all other loaders in this process. */
export function restrictLoaders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS });
}

sharp.concurrency(1);
// The cache is by file name, and temporary files are read only once or twice.
sharp.cache(false);

/** Opens a picture for decoding. Corruption is an error, libvips' warnings are not. @param pixels limit, from the header */
export function openPicture(input: string | Buffer, pixels: number, frames: SharpOptions = {}): Sharp {
  return sharp(input, { ...frames, failOn: "error", limitInputPixels: pixels, sequentialRead: true });
}

/** Makes a picture of a size from the first frame. */
export type Show = (box: ResizeOptions) => Sharp;

/** The first frame for display: in sRGB, without metadata, on white instead of transparency, never enlarged. @param autoOrient turns it by EXIF */
export function openShown(
  input: string | Buffer,
  { width, height }: MediaInfo,
  box: ResizeOptions,
  autoOrient = true,
): Sharp {
  return openPicture(input, width * height, { autoOrient })
    .resize({ ...box, withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb");
}
