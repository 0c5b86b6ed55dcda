import { FileWindow } from "../lib/file-window.js";

const SIGNATURE_BYTES = 8;
const HEADER_BYTES = 8;
const CHECKSUM_BYTES = 4;

/** The type of the chunk at `position`, and the position and bytes of its content. */
function chunkAt(file: FileWindow, position: number) {
  const header = file.bytes(position, HEADER_BYTES);
  if (!header) return null;
  return { type: header.toString("latin1", 4), start: position + HEADER_BYTES, length: header.readUInt32BE(0) };
}

/** Duration of the frame of an fcTL chunk in seconds: 16-bit numerator and denominator at byte 20; a denominator of 0 means 100. */
function frameSeconds(file: FileWindow, start: number): number {
  const delay = file.bytes(start + 20, 4);
  return delay ? delay.readUInt16BE(0) / (delay.readUInt16BE(2) || 100) : 0;
}

/**
 * Reads the chunks of a PNG up to IEND; null if the file ends before. libvips doesn't read animated PNGs
 * (which have an acTL, and an fcTL for each frame), and accepts truncated files. A still picture has one frame; the duration is in seconds.
 */
export function walkPng(path: string): { frames: number; duration: number } | null {
  using file = FileWindow.open(path);
  let isAnimation = false;
  let [frames, duration] = [0, 0];
  let position = SIGNATURE_BYTES;
  for (;;) {
    const chunk = chunkAt(file, position);
    if (!chunk) return null;
    position = chunk.start + chunk.length + CHECKSUM_BYTES;
    if (position > file.size) return null;
    if (chunk.type === "IEND") break;
    if (chunk.type === "acTL") isAnimation = true;
    if (chunk.type !== "fcTL") continue;
    frames += 1;
    duration += frameSeconds(file, chunk.start);
  }
  if (!isAnimation || frames <= 1) return { frames: 1, duration: 0 };
  return { frames, duration: Math.round(duration * 1e6) / 1e6 }; // sums of fractions are not exact: ten tenths would be less than a second
}
