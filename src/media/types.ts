import type { MediaExt, ThumbnailSize } from "../storage/keys.js";
import type { Cost } from "./cost.js";

/** What a file is, by its content. */
export interface FileType {
  /** extension without the dot */
  ext: MediaExt;
  mime: string;
  kind: "image" | "video";
}

/** How large a file may be, beyond its bytes. */
export interface MediaLimits {
  /** pixels of one frame; all frames together may have ten times as many */
  maxPixels: number;
  /** seconds */
  maxVideoSeconds: number;
}

/** What a whole and readable file contains. */
export interface MediaInfo {
  /** pixels, as shown: after the orientation that EXIF or the video asks for */
  width: number;
  height: number;
  /** 1 for a still picture */
  frames: number;
  /** seconds; null for a still picture */
  duration: number | null;
  hasSound: boolean;
  isAnimated: boolean;
}

/** Where the pictures derived from a file are written. */
export interface DerivedPaths {
  preview: string;
  sample: string;
  /** the larger thumbnails; absent where a server of the release before asks */
  thumbnails?: Readonly<Record<ThumbnailSize, string>>;
}

/** What a look at a file gives, before anything of it is decoded. A video is measured when it is decoded. */
export type Look = { kind: "image"; type: FileType; info: MediaInfo; cost: Cost } | { kind: "video"; type: FileType };

/** A file that was decoded to its last byte. */
export interface Rendered {
  info: MediaInfo;
  hasSample: boolean;
  /** ThumbHash in base64; absent without the larger thumbnails */
  placeholder?: string | undefined;
}
