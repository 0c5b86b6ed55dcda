/**
 * Estimates the cost of decoding a picture from its header. The factors were measured with sharp's bundled libvips and rounded up;
 * if a header is wrong, the memory limit of the decoder process applies.
 */
import type { Metadata, SharpOptions } from "sharp";
import type { FileType, MediaInfo } from "./types.js";

export interface Cost {
  /** peak memory in bytes, without that of the idle process */
  memory: number;
  /** pixels of all frames; the time is proportional to them */
  pixels: number;
}

/** Buffers of encoders, and for reading and writing. */
const FIXED_BYTES = 8 * 1024 * 1024;

/** Lines that libvips keeps in memory when it reads a picture sequentially. */
const LINES = 2048;
const JPEG_LINES = 512;

/** Pixels of the frames of a WebP that are decoded in one batch: libvips keeps all of them in memory. */
const WEBP_PIXELS = 16_000_000;

/** Samples per pixel by chroma subsampling. */
const JPEG_SAMPLES: Partial<Record<string, number>> = { "4:2:0": 1.5, "4:2:2": 2, "4:4:4": 3, "4:4:4:4": 4 };

/** A frame before it is rotated. */
interface Frame {
  width: number;
  height: number;
  pixels: number;
  /** bytes per decoded pixel */
  bytes: number;
  frames: number;
}

const streamed = ({ width, height, bytes }: Frame, lines: number): number => width * Math.min(height, lines) * bytes;

/** Peak memory of libvips in bytes, by sharp's name of the format. */
const MEMORY: Partial<Record<string, (header: Metadata, frame: Frame) => number>> = {
  // Progressive: libjpeg keeps all coefficients, of two bytes each, before it decodes.
  jpeg: (header, frame) => {
    const samples = JPEG_SAMPLES[header.chromaSubsampling ?? ""] ?? 4;
    return header.isProgressive ? frame.pixels * (2 * samples + 1.5) : streamed(frame, JPEG_LINES);
  },
  // Interlaced: no line is complete before the last pass.
  png: (header, frame) => (header.isProgressive ? frame.pixels * frame.bytes * 1.25 : streamed(frame, LINES)),
  // The RGBA canvas and its previous state.
  gif: (_, frame) => frame.pixels * 6.5,
  webp: (_, frame) =>
    frame.pixels * 4.5 + 4 * Math.max(frame.pixels, Math.min(WEBP_PIXELS, frame.pixels * frame.frames)),
  // The codec's frames, libheif's, and the picture.
  heif: (_, frame) => frame.pixels * (frame.bytes > 4 ? 28 : 20),
};

export function costOf(header: Metadata, info: MediaInfo): Cost {
  const { width, pageHeight, height: wholeHeight, channels, depth } = header;
  const height = pageHeight ?? wholeHeight;
  const bytes = channels * (depth === "uchar" ? 1 : 2);
  const frame: Frame = { width, height, pixels: width * height, bytes, frames: info.frames };
  const memory = MEMORY[header.format ?? ""]?.(header, frame) ?? Number.POSITIVE_INFINITY;
  return { memory: Math.ceil(FIXED_BYTES + memory), pixels: frame.pixels * info.frames };
}

/** The batches in which frames are decoded: one, except for large WebPs. libvips reads only the first frame of an animated PNG. */
export function batchesOf({ ext }: FileType, info: MediaInfo): SharpOptions[] {
  const pages = Math.max(1, Math.floor(WEBP_PIXELS / (info.width * info.height)));
  if (ext !== "webp" || pages >= info.frames) return [{ animated: true }];
  return Array.from({ length: Math.ceil(info.frames / pages) }, (_, index) => {
    const page = index * pages;
    return { page, pages: Math.min(pages, info.frames - page) };
  });
}
