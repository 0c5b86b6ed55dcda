import { FileWindow } from "../lib/file-window.js";

// GIF89a: header, screen descriptor, [colour table], { extension | image }, trailer.
const HEADER_BYTES = 13;
const DESCRIPTOR_BYTES = 10;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Bytes of the colour table that a descriptor's flags announce. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** Position after a chain of sub-blocks, each led by its length and the last one of length 0; null at the file's end. */
function afterSubBlocks(file: FileWindow, start: number): number | null {
  let position = start;
  for (;;) {
    const length = file.byte(position);
    if (length === null) return null;
    position += 1 + length;
    if (length === 0) return position;
  }
}

/** Position after the extension or image at `position`; null at the file's end or when there is neither. */
function afterBlock(file: FileWindow, position: number): number | null {
  const kind = file.byte(position);
  // Some programs pad between blocks; every decoder skips it.
  if (kind === 0) return position + 1;
  if (kind === EXTENSION) return afterSubBlocks(file, position + 2);
  if (kind !== IMAGE) return null;
  const flags = file.byte(position + DESCRIPTOR_BYTES - 1);
  if (flags === null) return null;
  const codeSizeByte = 1;
  return afterSubBlocks(file, position + DESCRIPTOR_BYTES + tableBytes(flags) + codeSizeByte);
}

/**
 * Whether the blocks of a GIF reach its trailer. The decoder leaves out the frames that a truncated animation lacks and
 * reports nothing.
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
