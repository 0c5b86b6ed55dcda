/** Inspects an uploaded file, then decodes it. Both run in a decoder process (`decoder/worker.ts`). */
import { invalid } from "../errors.js";
import { isCompleteMp4, isCompleteWebm } from "./container.js";
import { corrupt, lookAtImage, renderImage } from "./image.js";
import { sniff } from "./sniff.js";
import type { DerivedPaths, Look, MediaLimits, Rendered } from "./types.js";
import type { VideoTools } from "./video-tools.js";

/**
 * Determines what a file is by its content, and whether it is complete. Nothing is decoded.
 * @throws BoardError 420 on the field `file`: `unsupported_file`, `corrupt_file`, `too_slow` or `too_many_pixels`
 */
export async function look(path: string, limits: MediaLimits): Promise<Look> {
  const type = await sniff(path);
  if (!type) throw invalid("file", "unsupported_file");
  if (type.kind === "image") return { kind: "image", type, ...(await lookAtImage(path, type, limits)) };
  const isComplete = type.ext === "webm" ? isCompleteWebm(path) : isCompleteMp4(path);
  if (!isComplete) throw corrupt();
  return { kind: "video", type };
}

/**
 * Decodes a file after `look`, and writes its thumbnails (a JPEG within 180x180 pixels, WebPs within 360x360 and
 * 720x720) and, for still pictures wider than 850 pixels, its sample (a JPEG 850 pixels wide).
 * @param tools ffmpeg and ffprobe, for videos
 * @throws BoardError 420 on the field `file`: `corrupt_file`, `too_many_pixels`, `too_long_video`, `unsupported_file` (a video container
 *   with sound only) or `no_video_support`; other errors, such as a full disk, are not the file's fault
 */
export async function render(
  path: string,
  seen: Look,
  limits: MediaLimits,
  to: DerivedPaths,
  tools: VideoTools | null,
): Promise<Rendered> {
  if (seen.kind === "image") {
    return { info: seen.info, ...(await renderImage(path, seen.type, seen.info, to)) };
  }
  if (!tools) throw invalid("file", "no_video_support");
  const { deriveVideo, probeVideo } = await import("./video.js"); // few files are videos
  const info = await probeVideo(path, seen.type, limits, tools);
  return { info, hasSample: false, placeholder: await deriveVideo(path, seen.type, info, to, tools) };
}
