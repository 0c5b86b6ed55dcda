/** The pictures for lists, and the placeholder that is shown until one of them is there. */
import sharp, { type Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { thumbnailSizes } from "../storage/keys.js";
import { openShown } from "./libvips.js";
import { PREVIEW_SIZE, THUMBNAIL_QUALITY, within } from "./sizes.js";
import type { DerivedPaths, MediaInfo } from "./types.js";

/** The largest thumbnail, of which the others are made: so that the original is decoded once for all of them. */
const LARGEST = 720;

/** What ThumbHash takes at most, in pixels. */
const PLACEHOLDER_SIZE = 100;

/** A picture of a size of its own, out of the largest thumbnail. */
type Shrink = (size: number) => Sharp;

async function shrinkerOf(input: string | Buffer, info: MediaInfo): Promise<Shrink> {
  const box = { width: LARGEST, height: LARGEST, fit: "inside" } as const;
  const { data, info: raw } = await openShown(input, info, box).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = raw;
  return (size) => sharp(data, { raw: { width, height, channels } }).resize({ ...within(info, size), fit: "fill" });
}

async function placeholderOf(shrink: Shrink): Promise<string> {
  const work = shrink(PLACEHOLDER_SIZE).ensureAlpha().raw();
  const { data, info } = await work.toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
}

/**
 * Writes the thumbnails of a picture's first frame, none of them larger than the picture.
 * @param info what is shown of the picture, in pixels
 * @returns the ThumbHash of the picture in base64; nothing where only the preview was asked for
 */
export async function writeThumbnails(
  input: string | Buffer,
  info: MediaInfo,
  { preview, thumbnails }: DerivedPaths,
): Promise<string | undefined> {
  const shrink = await shrinkerOf(input, info);
  await shrink(PREVIEW_SIZE).jpeg({ quality: 85, progressive: true }).toFile(preview);
  if (!thumbnails) return undefined;
  for (const size of thumbnailSizes(info.width, info.height))
    await shrink(size).webp({ quality: THUMBNAIL_QUALITY[size], smartSubsample: true }).toFile(thumbnails[size]);
  return placeholderOf(shrink);
}
