import { FileWindow } from "../lib/file-window.js";

const EBML_HEADER = 0x1a45dfa3;
const WEBM_SEGMENT = 0x18538067;

/** Size of the MP4 box at `position` in bytes, including its header; a stored 0 means up to the end of the file. */
function boxBytes(file: FileWindow, position: number): number | null {
  const header = file.bytes(position, 8);
  if (!header) return null;
  const size = header.readUInt32BE(0);
  if (size === 0) return file.size - position;
  if (size !== 1) return size;
  const large = file.bytes(position + 8, 8);
  return large ? Number(large.readBigUInt64BE(0)) : null;
}

/** Whether the boxes of an MP4 are complete. Players, and ffprobe if the index comes first, accept truncated files. */
export function isCompleteMp4(path: string): boolean {
  using file = FileWindow.open(path);
  let position = 0;
  while (position < file.size) {
    const bytes = boxBytes(file, position);
    if (bytes === null || bytes < 8) return false;
    position += bytes;
  }
  return position === file.size;
}

/** The bytes of the content, null if unknown, as in a recorded live stream; and its position. */
function ebmlSize(file: FileWindow, position: number): { content: number | null; start: number } | null {
  const first = file.byte(position);
  if (!first) return null;
  const length = Math.clz32(first) - 23; // by the leading zero bits of the first byte: 1 to 8 bytes
  const digits = file.bytes(position, length);
  if (!digits) return null;
  const marked = BigInt(`0x${digits.toString("hex")}`);
  const unknown = (1n << BigInt(7 * length)) - 1n;
  const content = marked & unknown;
  return { content: content === unknown ? null : Number(content), start: position + length };
}

/** Whether the segment of a WebM is complete. */
export function isCompleteWebm(path: string): boolean {
  using file = FileWindow.open(path);
  if (file.bytes(0, 4)?.readUInt32BE(0) !== EBML_HEADER) return false;
  const header = ebmlSize(file, 4);
  if (!header || header.content === null) return false;
  const segment = header.start + header.content;
  if (file.bytes(segment, 4)?.readUInt32BE(0) !== WEBM_SEGMENT) return false;
  const size = ebmlSize(file, segment + 4);
  return size !== null && size.start + (size.content ?? 0) <= file.size;
}
