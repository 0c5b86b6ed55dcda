import { FileWindow } from "../lib/file-window.js";

// JPEG: { 0xff marker | 0xff marker length content | data of a scan }, where 0xff in data is followed by 0 or the marker of a restart.
const START_OF_SCAN = 0xda;
const END = 0xd9;

/** Whether a byte after 0xff is no marker (stuffing, padding), or one without content: restarts, the start, and TEM. */
const isAlone = (byte: number): boolean => byte <= 0x01 || byte === 0xff || (byte >= 0xd0 && byte <= 0xd8);

/** The scans of a JPEG, counted up to one more than a limit. Each one of a progressive JPEG may cost as much as all pixels, in a hundred bytes. */
export function countScans(path: string, most: number): number {
  using file = FileWindow.open(path);
  let scans = 0;
  for (let position = 0; scans <= most; position += 1) {
    const byte = file.byte(position);
    if (byte === null) break;
    if (byte !== 0xff) continue;
    const marker = file.byte(position + 1);
    if (marker === null || marker === END) break;
    if (isAlone(marker)) continue;
    if (marker === START_OF_SCAN) scans += 1;
    position += 1 + (file.bytes(position + 2, 2)?.readUInt16BE(0) ?? 0); // to the last byte of its content
  }
  return scans;
}
