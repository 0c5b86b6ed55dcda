/** The door to everything that looks into files: what is in it, and the pictures made from it. */
import { stat } from "node:fs/promises";
import { invalid } from "../errors.js";
import { deriveImage, probeImage } from "./image.js";
import type { DerivedPaths, FileType, MediaInfo, MediaLimits } from "./types.js";
import { deriveVideo, probeVideo } from "./video.js";
import { installedVideoTools, type VideoTools } from "./video-tools.js";

export type { DerivedPaths, FileType, MediaInfo, MediaLimits } from "./types.js";

/** The given programs, or those on PATH when the caller gave none; null is "none at all". */
async function needTools(given: VideoTools | null | undefined): Promise<VideoTools> {
  const tools = given === undefined ? await installedVideoTools() : given;
  if (!tools) throw invalid("file", "no_video_support");
  return tools;
}

/**
 * Reads a file as what `sniff` found it to be, whole, and tells what it contains.
 * @param tools ffmpeg and ffprobe; by default those on PATH
 * @throws BoardError 420 on the field `file`: `empty_file`, `corrupt_file`, `too_many_pixels`, `too_long_video`,
 *   `unsupported_file` (a video container with sound only) or `no_video_support`; 503 when reading takes more than a minute
 */
export async function probe(
  path: string,
  type: FileType,
  limits: MediaLimits,
  tools?: VideoTools | null,
): Promise<MediaInfo> {
  if ((await stat(path)).size === 0) throw invalid("file", "empty_file");
  if (type.kind === "image") return probeImage(path, type, limits);
  return probeVideo(path, type, limits, await needTools(tools));
}

/**
 * Writes the preview (a JPEG that fits 180x180 pixels) and, for still pictures wider than 850 pixels, the sample (a JPEG 850
 * pixels wide) of a file that `probe` has read.
 * @throws BoardError 420 `corrupt_file` or `no_video_support` for videos; 503 when it takes more than a minute
 */
export async function derive(
  path: string,
  type: FileType,
  info: MediaInfo,
  to: DerivedPaths,
  tools?: VideoTools | null,
): Promise<{ hasSample: boolean }> {
  if (type.kind === "image") return deriveImage(path, info, to);
  await deriveVideo(path, type, info, to.preview, await needTools(tools));
  return { hasSample: false };
}
