/**
 * Estimates the cost of decoding a picture from its header. The factors were measured with sharp's bundled libvips and rounded up;
 * if a header is wrong, the memory limit of the decoder process applies.
 */
import type { Metadata } from "sharp";
import type { MediaInfo } from "./types.js";

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

/** Samples per pixel by chroma subsampling. */
const JPEG_SAMPLES: Partial<Record<string, number>> = { "4:2:0": 1.5, "4:2:2": 2, "4:4:4": 3, "4:4:4:4": 4 };

/** A frame before it is rotated. */
interface Frame {
  width: number;
  height: number;
  pixels: number;
  /** bytes per decoded pixel */
  bytes: number;
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
  // The canvas, and the frame.
  webp: (_, frame) => frame.pixels * 8.5,
  // The codec's frames, libheif's, and the picture.
  heif: (_, frame) => frame.pixels * (frame.bytes > 4 ? 28 : 20),
};

export function costOf(header: Metadata, info: MediaInfo): Cost {
  const { width, pageHeight, height: wholeHeight, channels, depth } = header;
  const height = pageHeight ?? wholeHeight;
  const bytes = channels * (depth === "uchar" ? 1 : 2);
  const frame: Frame = { width, height, pixels: width * height, bytes };
  const memory = MEMORY[header.format ?? ""]?.(header, frame) ?? Number.POSITIVE_INFINITY;
  return { memory: Math.ceil(FIXED_BYTES + memory), pixels: frame.pixels * info.frames };
}
