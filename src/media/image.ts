import sharp, { type JpegOptions, type Metadata, type ResizeOptions } from "sharp";
import { type BoardError, invalid } from "../errors.js";
import { type Cost, costOf } from "./cost.js";
import { isCompleteGif } from "./gif.js";
import { countScans } from "./jpeg.js";
import { openPicture, openShown, type Show } from "./libvips.js";
import { walkPng } from "./png.js";
import { SAMPLE_WIDTH, sampleSize } from "./sizes.js";
import { writeThumbnails } from "./thumbnails.js";
import type { DerivedPaths, FileType, MediaInfo, MediaLimits, Rendered } from "./types.js";

/** The frames of an animation together can have this many times the pixels allowed for one picture. */
const ANIMATION_FACTOR = 10;

/** Scans of a progressive JPEG; programs write ten, optimisers some more. */
const MOST_SCANS = 100;

/** Largest sample with optimised encoding, in pixels. */
const OPTIMISED_PIXELS = 10_000_000;

/** Sharp's names of formats, if they differ from the extension. */
const SHARP_FORMATS: Partial<Record<string, string>> = { jpg: "jpeg", avif: "heif" };

export const corrupt = (cause?: unknown): BoardError => invalid("file", "corrupt_file", {}, { cause });

async function readHeader(path: string, type: FileType): Promise<Metadata> {
  // Sharp's limit would be reported as corruption; `checkPixels` follows.
  const reading = sharp(path, { animated: true, limitInputPixels: false }).metadata();
  const header = await reading.catch((error: unknown) => {
    throw corrupt(error);
  });
  if (header.format !== (SHARP_FORMATS[type.ext] ?? type.ext)) throw corrupt();
  return header;
}

/** Whether browsers turn pictures of a format by their EXIF orientation. AVIFs have one of their own, which libheif applies. */
const isOriented = (format: string): boolean => format !== "webp";

/** EXIF orientations 5 to 8 rotate the picture by 90 degrees. */
function infoOf(header: Metadata): MediaInfo {
  const size = { width: header.width, height: header.pageHeight ?? header.height };
  const isTurned = isOriented(header.format) && (header.orientation ?? 1) >= 5;
  const shown = isTurned ? { width: size.height, height: size.width } : size;
  const frames = header.format === "heif" ? 1 : (header.pages ?? 1); // of several pictures in an AVIF, browsers show one
  const milliseconds = (header.delay ?? []).reduce((sum, delay) => sum + delay, 0);
  return animationOf({ ...shown, hasSound: false }, frames, milliseconds / 1000);
}

const animationOf = (
  still: Pick<MediaInfo, "width" | "height" | "hasSound">,
  frames: number,
  seconds: number,
): MediaInfo => ({ ...still, frames, duration: frames > 1 ? seconds : null });

/** Checks of JPEG, GIF and PNG that libvips doesn't make, and the frames of an animated PNG. */
function withStructure(path: string, type: FileType, header: Metadata, info: MediaInfo): MediaInfo {
  if (header.format === "jpeg" && header.isProgressive && countScans(path, MOST_SCANS) > MOST_SCANS)
    throw invalid("file", "too_slow");
  if (type.ext === "gif" && !isCompleteGif(path)) throw corrupt();
  if (type.ext !== "png") return info;
  const animation = walkPng(path);
  if (!animation) throw corrupt();
  return animationOf(info, animation.frames, animation.duration);
}

const pixelsOf = (info: MediaInfo): number => info.width * info.height;

function checkPixels(info: MediaInfo, limit: number): void {
  if (pixelsOf(info) > limit) throw invalid("file", "too_many_pixels", { limit });
  const total = ANIMATION_FACTOR * limit;
  if (pixelsOf(info) * info.frames > total) throw invalid("file", "too_many_pixels", { limit: total });
}

/**
 * Inspects a picture's header and structure, and estimates the cost of decoding it. Nothing is decoded.
 * @throws BoardError 420 `too_many_pixels`, `too_slow` or `corrupt_file`
 */
export async function lookAtImage(
  path: string,
  type: FileType,
  limits: MediaLimits,
): Promise<{ info: MediaInfo; cost: Cost }> {
  const header = await readHeader(path, type);
  const announced = infoOf(header);
  checkPixels(announced, limits.maxPixels);
  const info = withStructure(path, type, header, announced);
  checkPixels(info, limits.maxPixels);
  return { info, cost: costOf(header, info) };
}

/**
 * Decodes every pixel in little memory: shrinking reads all lines, but not all at once. libvips decodes a frame of a WebP from those
 * before it, so its last one stands for all, which would be kept in memory together; of an animated PNG it reads only the first.
 * @throws BoardError 420 `corrupt_file`
 */
async function decodeAll(path: string, type: FileType, info: MediaInfo): Promise<void> {
  const frames = type.ext === "webp" ? { page: info.frames - 1 } : { animated: info.frames > 1 };
  const picture = openPicture(path, pixelsOf(info) * info.frames, frames);
  const work = picture.resize(1, 1, { fit: "fill", fastShrinkOnLoad: false }).raw();
  await work.toBuffer().catch((error: unknown) => {
    throw corrupt(error);
  });
}

/** Large samples are encoded line by line: progressive and optimised encoding keep the whole picture in memory. */
async function writeSample(show: Show, pixels: number, to: string): Promise<void> {
  const isSmall = pixels <= OPTIMISED_PIXELS;
  const jpeg: JpegOptions = { quality: 90, progressive: isSmall, optimiseCoding: isSmall };
  await show({ width: SAMPLE_WIDTH }).jpeg(jpeg).toFile(to);
}

/**
 * Decodes a picture completely, after `lookAtImage`, and writes its thumbnails and, for wide pictures, its sample.
 * @throws BoardError 420 `corrupt_file`; other errors, such as a full disk, are not the file's fault
 */
export async function renderImage(
  path: string,
  type: FileType,
  info: MediaInfo,
  to: DerivedPaths,
): Promise<Omit<Rendered, "info">> {
  await decodeAll(path, type, info);
  const show = (box: ResizeOptions) => openShown(path, info, box, isOriented(type.ext));
  const placeholder = await writeThumbnails(show, info, to);
  const sample = sampleSize(info);
  if (sample) await writeSample(show, sample.width * sample.height, to.sample);
  return { hasSample: sample !== null, placeholder };
}
