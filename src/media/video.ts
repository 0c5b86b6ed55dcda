import { z } from "zod";
import { invalid } from "../errors.js";
import { corrupt } from "./image.js";
import { within } from "./sizes.js";
import { writeThumbnails } from "./thumbnails.js";
import type { DerivedPaths, FileType, MediaInfo, MediaLimits } from "./types.js";
import { runTool, type VideoTools } from "./video-tools.js";

/** Longer side of the frame that ffmpeg hands over for the thumbnails, in pixels. */
const FRAME_PIXELS = 720;

/**
 * Only this file, read as what it was sniffed to be: otherwise a crafted one could pass for a play-list and name other files
 * or addresses, whose content would show up in the preview.
 */
const inputArgs = (path: string, type: FileType): string[] => {
  const format = type.ext === "webm" ? "matroska" : "mov";
  return ["-protocol_whitelist", "file", "-f", format, "-i", `file:${path}`];
};

async function ask(program: "ffmpeg" | "ffprobe", args: string[], tools: VideoTools): Promise<Buffer> {
  const result = await runTool(tools[program], args, { memory: tools.memory });
  if (result.outcome === "done") return result.output;
  if (result.outcome === "missing") throw invalid("file", "no_video_support");
  if (result.outcome === "slow") throw invalid("file", "too_slow");
  throw corrupt(result.outcome === "failed" ? result.cause : undefined);
}

// Numbers arrive as text, and what is unknown as "N/A" or not at all.
const number = z.coerce.number().positive().optional().catch(undefined);
const fraction = z
  .string()
  .optional()
  .transform((text) => {
    const [over = 0, under = 1] = (text ?? "").split("/").map(Number);
    return over / under || 0;
  });
const stream = z.object({
  codec_type: z.string().optional(),
  width: number,
  height: number,
  nb_frames: number,
  duration: number,
  avg_frame_rate: fraction,
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  side_data_list: z.array(z.object({ rotation: z.coerce.number().optional() })).optional(),
  tags: z.object({ rotate: z.coerce.number().optional() }).optional(),
});
const report = z.object({ streams: z.array(stream), format: z.object({ duration: number }).optional() });
type Stream = z.infer<typeof stream>;
type Report = z.infer<typeof report>;

async function readReport(path: string, type: FileType, tools: VideoTools): Promise<Report> {
  const wanted = ["-v", "error", "-print_format", "json", "-show_format", "-show_streams"];
  const output = await ask("ffprobe", [...wanted, ...inputArgs(path, type)], tools);
  try {
    return report.parse(JSON.parse(output.toString("utf8")));
  } catch (error) {
    throw corrupt(error);
  }
}

/** Cover pictures of music are video streams too, and marked. */
const isPicture = (one: Stream): boolean => one.codec_type === "video" && one.disposition?.attached_pic !== 1;

/** Seconds up to the last packet, for recordings of live streams, which do not say how long they are. */
async function measuredDuration(path: string, type: FileType, tools: VideoTools): Promise<number> {
  const wanted = ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0"];
  const output = await ask("ffprobe", [...wanted, ...inputArgs(path, type)], tools);
  const times = output.toString("latin1").split("\n").map(Number.parseFloat).filter(Number.isFinite);
  return times.reduce((latest, time) => Math.max(latest, time), 0);
}

/** Telephones film lying down and note by how many degrees to turn the picture. */
function shownSize(video: Stream): Pick<MediaInfo, "width" | "height"> {
  if (!video.width || !video.height) throw corrupt();
  const noted = video.side_data_list?.find((data) => data.rotation !== undefined)?.rotation;
  const isTurned = Math.abs(noted ?? video.tags?.rotate ?? 0) % 180 === 90;
  return isTurned ? { width: video.height, height: video.width } : { width: video.width, height: video.height };
}

/**
 * Determines what a video contains.
 * @throws BoardError 420 `corrupt_file`, `unsupported_file` (sound only), `too_many_pixels`, `too_long_video` or
 *   `no_video_support`, or `too_slow` when ffprobe takes more than a minute
 */
export async function probeVideo(
  path: string,
  type: FileType,
  limits: MediaLimits,
  tools: VideoTools,
): Promise<MediaInfo> {
  const { streams, format } = await readReport(path, type, tools);
  const video = streams.find(isPicture);
  if (!video) throw invalid("file", "unsupported_file");
  const size = shownSize(video);
  if (size.width * size.height > limits.maxPixels)
    throw invalid("file", "too_many_pixels", { limit: limits.maxPixels });
  const duration = format?.duration ?? video.duration ?? (await measuredDuration(path, type, tools));
  if (duration > limits.maxVideoSeconds) throw invalid("file", "too_long_video", { limit: limits.maxVideoSeconds });
  const frames = video.nb_frames ?? Math.max(1, Math.round(duration * video.avg_frame_rate));
  return { ...size, frames, duration, hasSound: streams.some((one) => one.codec_type === "audio"), isAnimated: true };
}

/** Width and height of the first frame, shrunk to what the largest thumbnail needs. */
function frameSize(info: MediaInfo): string {
  const { width, height } = within(info, FRAME_PIXELS);
  return `${width}:${height}`;
}

/**
 * Writes the thumbnails of a video that `probeVideo` has read, of its first frame. Videos have no sample.
 * @returns the ThumbHash of that frame, as `writeThumbnails`
 * @throws BoardError 420 `corrupt_file` when no frame can be decoded, `too_slow` when it takes more than a minute
 */
export async function deriveVideo(
  path: string,
  type: FileType,
  info: MediaInfo,
  to: DerivedPaths,
  tools: VideoTools,
): Promise<string | undefined> {
  const frame = ["-frames:v", "1", "-vf", `scale=${frameSize(info)}`, "-an", "-f", "image2pipe", "-c:v", "png"];
  const oneThread = ["-threads", "1"]; // each has frames of its own, and the first frame is all that is wanted
  const args = ["-nostdin", "-v", "error", ...oneThread, ...inputArgs(path, type), ...frame, "pipe:1"];
  const picture = await ask("ffmpeg", args, tools);
  if (picture.length === 0) throw corrupt();
  return writeThumbnails(picture, info, to);
}
