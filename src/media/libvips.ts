/** How sharp and libvips are used: only the formats that are taken, one thread for a picture, nothing remembered. */
import sharp, { type ResizeOptions, type Sharp, type SharpOptions } from "sharp";
import type { MediaInfo } from "./types.js";

/** The loaders of the accepted formats. Other formats that libvips can read (SVG, TIFF, PDF ...) stay disabled. */
const LOADERS = ["Jpeg", "Png", "Nsgif", "Webp", "Heif"].map((format) => `VipsForeignLoad${format}`);

/** Shuts all other loaders of this process, whatever a file claims to be. */
export function restrictLoaders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS });
}

sharp.concurrency(1);
// The cache remembers files by their name. Each of ours is read once or twice and then gone.
sharp.cache(false);

/** Opens a picture for decoding; `pixels` is the number that its header announced. Damage is an error, a warning is not. */
export function openPicture(input: string | Buffer, pixels: number, frames: SharpOptions = {}): Sharp {
  return sharp(input, { ...frames, failOn: "error", limitInputPixels: pixels, sequentialRead: true });
}

/** The first frame as it is shown everywhere: upright, sRGB, without metadata, white where the original is transparent, and never enlarged. */
export function openShown(input: string | Buffer, { width, height }: MediaInfo, box: ResizeOptions): Sharp {
  return openPicture(input, width * height)
    .autoOrient()
    .resize({ ...box, withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb");
}
