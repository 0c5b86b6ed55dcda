import sharp, { type Metadata, type ResizeOptions } from "sharp";
import { invalid } from "../errors.js";
import { corrupt, decoding, openPicture, slowness } from "./decoding.js";
import { isCompleteGif } from "./gif.js";
import { walkPng } from "./png.js";
import { PREVIEW_SIZE, SAMPLE_WIDTH } from "./sizes.js";
import type { DerivedPaths, FileType, MediaInfo, MediaLimits } from "./types.js";

/** What the JPEG format and its encoders can hold, in pixels. */
const JPEG_MAX_HEIGHT = 65_500;
/** All frames of an animation together may have this many times the pixels that one picture may have. */
const ANIMATION_FACTOR = 10;

/** What sharp calls the formats of our extensions. */
const SHARP_FORMATS: Partial<Record<string, string>> = { jpg: "jpeg", avif: "heif" };

async function readHeader(path: string, type: FileType): Promise<Metadata> {
  // Sharp's own limit would be reported as damage; ours follows at once.
  const reading = decoding(() => sharp(path, { animated: true, limitInputPixels: false }).metadata());
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
async function withStructure(path: string, type: FileType, info: MediaInfo): Promise<MediaInfo> {
  if (type.ext === "gif" && !(await isCompleteGif(path))) throw corrupt();
  if (type.ext !== "png") return info;
  const animation = await walkPng(path);
  if (!animation) throw corrupt();
  return animationOf(info, animation.frames, animation.duration);
}

const pixelsOf = (info: MediaInfo): number => info.width * info.height;

function checkPixels(info: MediaInfo, limit: number): void {
  if (pixelsOf(info) > limit) throw invalid("file", "too_many_pixels", { limit });
  const total = ANIMATION_FACTOR * limit;
  if (pixelsOf(info) * info.frames > total) throw invalid("file", "too_many_pixels", { limit: total });
}

/** Decodes every pixel and keeps next to none: a shrunk picture needs all lines of its original, yet not all at once. */
async function decodeAll(path: string, info: MediaInfo): Promise<void> {
  const picture = openPicture(path, pixelsOf(info) * info.frames, true);
  const work = picture.resize(1, 1, { fit: "fill", fastShrinkOnLoad: false }).raw();
  await decoding(() => work.toBuffer()).catch((error: unknown) => {
    throw slowness(error) ?? corrupt(error);
  });
}

/**
 * Reads a picture from its first byte to its last and tells what it contains. The pixel limit is checked by the header,
 * before anything is decoded.
 * @throws BoardError 420 `too_many_pixels` or `corrupt_file`; 503 when decoding takes more than a minute
 */
export async function probeImage(path: string, type: FileType, limits: MediaLimits): Promise<MediaInfo> {
  const header = infoOf(await readHeader(path, type));
  checkPixels(header, limits.maxPixels);
  const info = await withStructure(path, type, header);
  checkPixels(info, limits.maxPixels);
  await decodeAll(path, info);
  return info;
}

/** A JPEG for every browser: upright, sRGB, without metadata, and white where the original is transparent. */
async function writeJpeg(input: string | Buffer, info: MediaInfo, box: ResizeOptions, quality: number, to: string) {
  const picture = openPicture(input, pixelsOf(info))
    .autoOrient()
    .resize({ ...box, withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .jpeg({ quality, progressive: true });
  await decoding(() => picture.toFile(to)).catch((error: unknown) => {
    throw slowness(error) ?? error;
  });
}

/** Writes the thumbnail of a picture's first frame, never larger than the picture. */
export async function writePreview(input: string | Buffer, info: MediaInfo, to: string): Promise<void> {
  await writeJpeg(input, info, { width: PREVIEW_SIZE, height: PREVIEW_SIZE, fit: "inside" }, 85, to);
}

/** Only still pictures that are wider than the sample would be, and not so tall that no JPEG could hold it. */
function wantsSample(info: MediaInfo): boolean {
  if (info.frames > 1 || info.width <= SAMPLE_WIDTH) return false;
  return (info.height * SAMPLE_WIDTH) / info.width <= JPEG_MAX_HEIGHT;
}

/**
 * Writes the preview and, where one is wanted, the sample of a picture that `probeImage` has read.
 * @throws BoardError 503 when it takes more than a minute; any other error is a fault, such as a full disk
 */
export async function deriveImage(path: string, info: MediaInfo, to: DerivedPaths): Promise<{ hasSample: boolean }> {
  await writePreview(path, info, to.preview);
  const hasSample = wantsSample(info);
  if (hasSample) await writeJpeg(path, info, { width: SAMPLE_WIDTH }, 90, to.sample);
  return { hasSample };
}
