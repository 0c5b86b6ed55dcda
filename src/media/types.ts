import type { MediaExt } from "../storage/keys.js";

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
}
