/** Thumbnails, and the placeholder that is displayed until they have loaded. */
import sharp, { type Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { thumbnailSizes } from "../storage/keys.js";
import type { Show } from "./libvips.js";
import { PREVIEW_SIZE, THUMBNAIL_QUALITY, within } from "./sizes.js";
import type { DerivedPaths, MediaInfo } from "./types.js";

/** Size of the largest thumbnail, from which the others are made, so that the original is decoded only once. */
const LARGEST = 720;

/** Largest input of ThumbHash in pixels. */
const PLACEHOLDER_SIZE = 100;

/** Scales the largest thumbnail down to fit into a square. */
type Shrink = (size: number) => Sharp;

async function shrinkerOf(show: Show, info: MediaInfo): Promise<Shrink> {
  const box = { width: LARGEST, height: LARGEST, fit: "inside" } as const;
  const { data, info: raw } = await show(box).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = raw;
  return (size) => sharp(data, { raw: { width, height, channels } }).resize({ ...within(info, size), fit: "fill" });
}

async function placeholderOf(shrink: Shrink): Promise<string> {
  const work = shrink(PLACEHOLDER_SIZE).ensureAlpha().raw();
  const { data, info } = await work.toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
}

/**
 * Writes thumbnails of a picture's first frame, never larger than the picture.
 * @param info the picture's size
 * @returns the ThumbHash in base64; undefined if only the preview is written
 */
export async function writeThumbnails(
  show: Show,
  info: MediaInfo,
  { preview, thumbnails }: DerivedPaths,
): Promise<string | undefined> {
  const shrink = await shrinkerOf(show, info);
  await shrink(PREVIEW_SIZE).jpeg({ quality: 85, progressive: true }).toFile(preview);
  if (!thumbnails) return undefined;
  for (const size of thumbnailSizes(info.width, info.height))
    await shrink(size).webp({ quality: THUMBNAIL_QUALITY[size], smartSubsample: true }).toFile(thumbnails[size]);
  return placeholderOf(shrink);
}
