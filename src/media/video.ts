import { z } from "zod";
import { invalid, overloaded } from "../errors.js";
import { corrupt } from "./image.js";
import { openShown } from "./libvips.js";
import { within } from "./sizes.js";
import { writeThumbnails } from "./thumbnails.js";
import type { DerivedPaths, FileType, MediaInfo, MediaLimits } from "./types.js";
import { runTool, type VideoTools } from "./video-tools.js";

/** Maximum width and height of the frame that ffmpeg extracts for the thumbnails. */
const FRAME_PIXELS = 720;

/** Largest number of the column; only a false header has more. */
const MAX_FRAMES = 2 ** 31 - 1;

/**
 * Restricts ffmpeg to this file and the detected format: otherwise a crafted file could be read as a playlist of other files
 * or URLs, whose content would be visible in the preview.
 */
const inputArgs = (path: string, type: FileType): string[] => {
  const format = type.ext === "webm" ? "matroska" : "mov";
  return ["-protocol_whitelist", "file", "-f", format, "-i", `file:${path}`];
};

async function outputOf(program: "ffmpeg" | "ffprobe", args: string[], tools: VideoTools): Promise<Buffer> {
  const result = await runTool(tools[program], args, { memory: tools.memory });
  if (result.outcome === "done") return result.output;
  if (result.outcome === "missing") throw invalid("file", "no_video_support");
  if (result.outcome === "slow") throw invalid("file", "too_slow");
  if (result.outcome === "killed") throw overloaded(result.cause);
  throw corrupt(result.outcome === "failed" ? result.cause : undefined);
}

// Numbers are strings, and unknown ones "N/A" or missing.
const number = z.coerce.number().positive().optional().catch(undefined);
const fraction = z
  .string()
  .optional()
  .transform((text) => {
    const [over = 0, under = 1] = (text ?? "").split(/[/:]/).map(Number);
    return over / under || 0;
  });
const stream = z.object({
  codec_type: z.string().optional(),
  width: number,
  height: number,
  nb_frames: number,
  duration: number,
  avg_frame_rate: fraction,
  /** of a pixel; 0 if unknown */
  sample_aspect_ratio: fraction,
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  side_data_list: z.array(z.object({ rotation: z.coerce.number().optional() })).optional(),
  tags: z.object({ rotate: z.coerce.number().optional() }).optional(),
});
const report = z.object({ streams: z.array(stream), format: z.object({ duration: number }).optional() });
type Stream = z.infer<typeof stream>;
type Report = z.infer<typeof report>;

async function readReport(path: string, type: FileType, tools: VideoTools): Promise<Report> {
  const wanted = ["-v", "error", "-print_format", "json", "-show_format", "-show_streams"];
  const output = await outputOf("ffprobe", [...wanted, ...inputArgs(path, type)], tools);
  try {
    return report.parse(JSON.parse(output.toString("utf8")));
  } catch (error) {
    throw corrupt(error);
  }
}

/** ffmpeg's name of the stream that browsers show: the first of its kind. By default, ffmpeg takes the one with the most pixels. */
const SHOWN = "V:0";

/** As ffmpeg's `V`. Cover art is a video stream too, marked as attached picture. */
const isVideo = (one: Stream): boolean => one.codec_type === "video" && one.disposition?.attached_pic !== 1;

/** Seconds up to the last packet, for recorded live streams, whose header has no duration. */
async function measuredDuration(path: string, type: FileType, tools: VideoTools): Promise<number> {
  const wanted = ["-v", "error", "-select_streams", SHOWN, "-show_entries", "packet=pts_time", "-of", "csv=p=0"];
  const output = await outputOf("ffprobe", [...wanted, ...inputArgs(path, type)], tools);
  const times = output.toString("latin1").split("\n").map(Number.parseFloat).filter(Number.isFinite);
  return times.reduce((latest, time) => Math.max(latest, time), 0);
}

/** The size in square pixels, as many as browsers make of others: those of camcorders and DVDs are wider or narrower. */
function squareSize({ width, height, sample_aspect_ratio }: Stream): Pick<MediaInfo, "width" | "height"> {
  if (!width || !height) throw corrupt();
  const ratio = sample_aspect_ratio || 1;
  return ratio > 1 ? { width: Math.round(width * ratio), height } : { width, height: Math.round(height / ratio) };
}

/** The size after rotation: phones store rotated frames, and the angle in the metadata. */
function shownSize(video: Stream): Pick<MediaInfo, "width" | "height"> {
  const { width, height } = squareSize(video);
  const rotation = video.side_data_list?.find((data) => data.rotation !== undefined)?.rotation;
  const isTurned = Math.abs(rotation ?? video.tags?.rotate ?? 0) % 180 === 90;
  return isTurned ? { width: height, height: width } : { width, height };
}

/**
 * Reads the properties of a video.
 * @throws BoardError 420 `corrupt_file`, `unsupported_file` (sound only), `too_many_pixels`, `too_long_video` or
 *   `no_video_support`, or `too_slow` if ffprobe takes more than a minute; 503 if it is killed
 */
export async function probeVideo(
  path: string,
  type: FileType,
  limits: MediaLimits,
  tools: VideoTools,
): Promise<MediaInfo> {
  const { streams, format } = await readReport(path, type, tools);
  const video = streams.find(isVideo);
  if (!video) throw invalid("file", "unsupported_file");
  const size = shownSize(video);
  if (size.width * size.height > limits.maxPixels)
    throw invalid("file", "too_many_pixels", { limit: limits.maxPixels });
  const duration = format?.duration ?? video.duration ?? (await measuredDuration(path, type, tools));
  if (duration > limits.maxVideoSeconds) throw invalid("file", "too_long_video", { limit: limits.maxVideoSeconds });
  const frames = video.nb_frames ?? Math.max(1, Math.round(duration * video.avg_frame_rate));
  if (frames > MAX_FRAMES) throw corrupt();
  return { ...size, frames, duration, hasSound: streams.some((one) => one.codec_type === "audio") };
}

/**
 * Writes thumbnails of a video's first frame, after `probeVideo`. Videos have no sample.
 * @returns the ThumbHash of the frame, as `writeThumbnails`
 * @throws BoardError 420 `corrupt_file` if no frame can be decoded, `too_slow` if it takes more than a minute; 503 if ffmpeg is killed
 */
export async function deriveVideo(
  path: string,
  type: FileType,
  info: MediaInfo,
  to: DerivedPaths,
  tools: VideoTools,
): Promise<string | undefined> {
  const { width, height } = within(info, FRAME_PIXELS);
  const frame = ["-map", `0:${SHOWN}`, "-frames:v", "1", "-vf", `scale=${width}:${height}`];
  const asPng = ["-f", "image2pipe", "-c:v", "png"];
  // By default each step has as many threads as the machine: with 16 of them, their stacks and frames exceed the memory limit.
  const oneThread = ["-threads", "1"];
  const input = [...oneThread, "-filter_threads", "1", ...inputArgs(path, type)];
  const args = ["-nostdin", "-v", "error", ...input, ...oneThread, ...frame, ...asPng, "pipe:1"];
  const picture = await outputOf("ffmpeg", args, tools);
  if (picture.length === 0) throw corrupt();
  return writeThumbnails((box) => openShown(picture, info, box), info, to);
}
