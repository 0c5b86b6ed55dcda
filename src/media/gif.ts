import { FileWindow } from "../lib/file-window.js";

// GIF89a: header, screen descriptor, [colour table], { extension | image }, trailer.
const HEADER_BYTES = 13;
const DESCRIPTOR_BYTES = 10;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Bytes of the colour table, by the flags of a descriptor. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** Position after a chain of sub-blocks, each prefixed with its length, the last one of length 0; null if the file ends before. */
function afterSubBlocks(file: FileWindow, start: number): number | null {
  let position = start;
  for (;;) {
    const length = file.byte(position);
    if (length === null) return null;
    position += 1 + length;
    if (length === 0) return position;
  }
}

/** Position after the extension or image at `position`; null if there is neither or the file ends before. */
function afterBlock(file: FileWindow, position: number): number | null {
  const kind = file.byte(position);
  // Some programs write padding between blocks; all decoders skip it.
  if (kind === 0) return position + 1;
  if (kind === EXTENSION) return afterSubBlocks(file, position + 2);
  if (kind !== IMAGE) return null;
  const flags = file.byte(position + DESCRIPTOR_BYTES - 1);
  if (flags === null) return null;
  const codeSizeByte = 1;
  return afterSubBlocks(file, position + DESCRIPTOR_BYTES + tableBytes(flags) + codeSizeByte);
}

/**
 * Whether the blocks of a GIF reach its trailer. For truncated animations, libvips reports no error but fewer frames.
 */
export function isCompleteGif(path: string): boolean {
  using file = FileWindow.open(path);
  const flags = file.byte(HEADER_BYTES - 3);
  if (flags === null) return false;
  let position: number | null = HEADER_BYTES + tableBytes(flags);
  while (position !== null) {
    if (file.byte(position) === TRAILER) return true;
    position = afterBlock(file, position);
  }
  return false;
}
