import sharp, { type JpegOptions, type Metadata } from "sharp";
import { type BoardError, invalid, Problems } from "../errors.js";
import { type Cost, costOf, framesAtOnce } from "./cost.js";
import { isCompleteGif } from "./gif.js";
import { openPicture, openShown } from "./libvips.js";
import { walkPng } from "./png.js";
import { SAMPLE_WIDTH, sampleSize } from "./sizes.js";
import { writeThumbnails } from "./thumbnails.js";
import type { DerivedPaths, FileType, MediaInfo, MediaLimits, Rendered } from "./types.js";

/** All frames of an animation together may have this many times the pixels that one picture may have. */
const ANIMATION_FACTOR = 10;

/** Largest sample whose encoding is optimised, in pixels. */
const OPTIMISED_PIXELS = 10_000_000;

/** What sharp calls the formats of our extensions. */
const SHARP_FORMATS: Partial<Record<string, string>> = { jpg: "jpeg", avif: "heif" };

/** The file is not what its first bytes promise. */
export const corrupt = (cause?: unknown): BoardError => new Problems().add("file", "corrupt_file").toError({ cause });

async function readHeader(path: string, type: FileType): Promise<Metadata> {
  // Sharp's own limit would be reported as damage; ours follows at once.
  const reading = sharp(path, { animated: true, limitInputPixels: false }).metadata();
  const header = await reading.catch((error: unknown) => {
    throw corrupt(error);
  });
  if (header.format !== (SHARP_FORMATS[type.ext] ?? type.ext)) throw corrupt();
  return header;
}

/** Orientations 5 to 8 of EXIF lay the picture on its side. */
function infoOf(header: Metadata): MediaInfo {
  const size = { width: header.width, height: header.pageHeight ?? header.height };
  const isTurned = (header.orientation ?? 1) >= 5;
  const shown = isTurned ? { width: size.height, height: size.width } : size;
  const frames = header.pages ?? 1;
  const milliseconds = (header.delay ?? []).reduce((sum, delay) => sum + delay, 0);
  return animationOf({ ...shown, hasSound: false }, frames, milliseconds / 1000);
}

function animationOf(
  still: Pick<MediaInfo, "width" | "height" | "hasSound">,
  frames: number,
  seconds: number,
): MediaInfo {
  const isAnimated = frames > 1;
  return { ...still, frames, isAnimated, duration: isAnimated ? seconds : null };
}

/** What the decoder would overlook in these two formats. */
function withStructure(path: string, type: FileType, info: MediaInfo): MediaInfo {
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
 * Reads a picture's header and walks over its structure: what it contains, and what decoding it will take. Nothing is decoded.
 * @throws BoardError 420 `too_many_pixels` or `corrupt_file`
 */
export async function lookAtImage(
  path: string,
  type: FileType,
  limits: MediaLimits,
): Promise<{ info: MediaInfo; cost: Cost }> {
  const header = await readHeader(path, type);
  const announced = infoOf(header);
  checkPixels(announced, limits.maxPixels);
  const info = withStructure(path, type, announced);
  checkPixels(info, limits.maxPixels);
  return { info, cost: costOf(header, info) };
}

/**
 * Decodes every pixel and keeps next to none: a shrunk picture needs all lines of its original, yet not all at once.
 * @throws BoardError 420 `corrupt_file`
 */
async function decodeAll(path: string, type: FileType, info: MediaInfo): Promise<void> {
  for (const frames of framesAtOnce(type, info)) {
    const picture = openPicture(path, pixelsOf(info) * info.frames, frames);
    const work = picture.resize(1, 1, { fit: "fill", fastShrinkOnLoad: false }).raw();
    await work.toBuffer().catch((error: unknown) => {
      throw corrupt(error);
    });
  }
}

/** Tall ones are written line by line: an encoder that goes over a picture several times keeps all of it. */
async function writeSample(path: string, info: MediaInfo, pixels: number, to: string): Promise<void> {
  const isSmall = pixels <= OPTIMISED_PIXELS;
  const jpeg: JpegOptions = { quality: 90, progressive: isSmall, optimiseCoding: isSmall };
  await openShown(path, info, { width: SAMPLE_WIDTH }).jpeg(jpeg).toFile(to);
}

/**
 * Decodes a picture that `lookAtImage` has read, from its first byte to its last, and writes its thumbnails and, where one is wanted,
 * its sample.
 * @throws BoardError 420 `corrupt_file`; any other error is a fault, such as a full disk
 */
export async function renderImage(
  path: string,
  type: FileType,
  info: MediaInfo,
  to: DerivedPaths,
): Promise<Omit<Rendered, "info">> {
  await decodeAll(path, type, info);
  const placeholder = await writeThumbnails(path, info, to);
  const sample = sampleSize(info);
  if (sample) await writeSample(path, info, sample.width * sample.height, to.sample);
  return { hasSample: sample !== null, placeholder };
}
