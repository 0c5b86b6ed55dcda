/**
 * What decoding a picture takes, by its header. The figures were measured with sharp's own libvips, and are rounded up; a header
 * that lies about them meets the hard limit of the decoder's process.
 */
import type { Metadata, SharpOptions } from "sharp";
import type { FileType, MediaInfo } from "./types.js";

/** What has to be had before a picture is decoded. */
export interface Cost {
  /** peak memory in bytes, in addition to the process's own */
  memory: number;
  /** pixels of all frames, which is what it takes time for */
  pixels: number;
}

/** Buffers of encoders, and of what is read and written. */
const FIXED_BYTES = 8 * 1024 * 1024;

/** Lines that libvips keeps of a picture which it reads from top to bottom. */
const LINES = 2048;
const JPEG_LINES = 512;

/** Frames of a WebP that are decoded at once, in pixels: libvips keeps all of them until the next batch. */
const WEBP_PIXELS = 16_000_000;

/** Samples per pixel, by the subsampling that sharp reports. */
const JPEG_SAMPLES: Partial<Record<string, number>> = { "4:2:0": 1.5, "4:2:2": 2, "4:4:4": 3, "4:4:4:4": 4 };

/** One frame, as it lies in the file. */
interface Frame {
  width: number;
  height: number;
  pixels: number;
  /** bytes of a pixel when it is decoded */
  bytes: number;
  frames: number;
}

const streamed = ({ width, height, bytes }: Frame, lines: number): number => width * Math.min(height, lines) * bytes;

/** Bytes that libvips takes, by what sharp calls the format. */
const MEMORY: Partial<Record<string, (header: Metadata, frame: Frame) => number>> = {
  // A progressive one is decoded when all of it is read: two bytes for a coefficient.
  jpeg: (header, frame) => {
    const samples = JPEG_SAMPLES[header.chromaSubsampling ?? ""] ?? 4;
    return header.isProgressive ? frame.pixels * (2 * samples + 1.5) : streamed(frame, JPEG_LINES);
  },
  // An interlaced one has no line that is whole before the last pass.
  png: (header, frame) => (header.isProgressive ? frame.pixels * frame.bytes * 1.25 : streamed(frame, LINES)),
  // The canvas of red, green, blue and alpha, and what it was before.
  gif: (_, frame) => frame.pixels * 6.5,
  webp: (_, frame) =>
    frame.pixels * 4.5 + 4 * Math.max(frame.pixels, Math.min(WEBP_PIXELS, frame.pixels * frame.frames)),
  // The codec's own frames, those of the container, and the picture.
  heif: (_, frame) => frame.pixels * (frame.bytes > 4 ? 28 : 20),
};

/** What decoding a picture of this header takes. */
export function costOf(header: Metadata, info: MediaInfo): Cost {
  const { width, pageHeight, height: wholeHeight, channels, depth } = header;
  const height = pageHeight ?? wholeHeight;
  const bytes = channels * (depth === "uchar" ? 1 : 2);
  const frame: Frame = { width, height, pixels: width * height, bytes, frames: info.frames };
  const memory = MEMORY[header.format ?? ""]?.(header, frame) ?? Number.POSITIVE_INFINITY;
  return { memory: Math.ceil(FIXED_BYTES + memory), pixels: frame.pixels * info.frames };
}

/** Which frames are decoded together: all of them, but for those of WebP. An animated PNG is its first one to libvips. */
export function framesAtOnce({ ext }: FileType, info: MediaInfo): SharpOptions[] {
  const pages = Math.max(1, Math.floor(WEBP_PIXELS / (info.width * info.height)));
  if (ext !== "webp" || pages >= info.frames) return [{ animated: true }];
  return Array.from({ length: Math.ceil(info.frames / pages) }, (_, index) => {
    const page = index * pages;
    return { page, pages: Math.min(pages, info.frames - page) };
  });
}
