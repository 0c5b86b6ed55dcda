import type { MediaExt, ThumbnailSize } from "../storage/keys.js";
import type { Cost } from "./cost.js";

/** The type of a file, by its content. */
export interface FileType {
  /** extension without the dot */
  ext: MediaExt;
  mime: string;
  kind: "image" | "video";
}

/** Limits of files in addition to their bytes. */
export interface MediaLimits {
  /** pixels of one frame; all frames together can have ten times as many */
  maxPixels: number;
  maxVideoSeconds: number;
}

export interface MediaInfo {
  /** in pixels, after rotation by EXIF or the video's metadata, square ones */
  width: number;
  height: number;
  /** 1 for a still picture */
  frames: number;
  /** seconds; null for a still picture */
  duration: number | null;
  hasSound: boolean;
}

export interface DerivedPaths {
  preview: string;
  sample: string;
  /** the larger thumbnails; absent in requests from servers of the previous release */
  thumbnails?: Readonly<Record<ThumbnailSize, string>>;
}

/** The result of `look`, before decoding. Videos are inspected by `render`. */
export type Look = { kind: "image"; type: FileType; info: MediaInfo; cost: Cost } | { kind: "video"; type: FileType };

export interface Rendered {
  info: MediaInfo;
  hasSample: boolean;
  /** ThumbHash in base64; absent without the larger thumbnails */
  placeholder?: string | undefined;
}
