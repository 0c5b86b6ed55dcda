import { fileTypeFromFile } from "file-type";
import { FileWindow } from "../lib/file-window.js";
import { CONTENT_TYPES, type MediaExt } from "../storage/keys.js";
import type { FileType } from "./types.js";

/** file-type's name of a format -> extension. Animated PNGs are PNGs, and M4V is Apple's name for MP4. */
const EXTENSIONS: Partial<Record<string, MediaExt>> = {
  jpg: "jpg",
  png: "png",
  apng: "png",
  gif: "gif",
  webp: "webp",
  avif: "avif",
  mp4: "mp4",
  m4v: "mp4",
  webm: "webm",
};

/**
 * Major brands of MP4 that browsers play. file-type reports unknown brands as MP4 too.
 * `MSNV` is Sony's, `dash` that of joined segments of a stream.
 */
const MP4_BRAND = /^(?:iso[\w]|mp4[\w]|avc[\w]|M4V[ \0HP]|MSNV|dash)$/;

/** That of an animated AVIF, which libvips doesn't read. */
const AVIF_SEQUENCE = "avis";

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Determines the type of a file by its content; null if it is not accepted. File names and declared content
 * types are ignored. Text formats such as SVG are not accepted, because they can contain scripts.
 */
export async function sniff(path: string): Promise<FileType | null> {
  using file = FileWindow.open(path);
  const head = file.bytes(0, Math.min(12, file.size)) ?? Buffer.alloc(0);
  const found = await fileTypeFromFile(path);
  // file-type does not recognise truncated PNGs, which are to be refused as corrupt.
  const ext = head.subarray(0, 8).equals(PNG_SIGNATURE) ? "png" : EXTENSIONS[found?.ext ?? ""];
  if (!ext) return null;
  const brand = head.toString("latin1", 8, 12);
  if (ext === "mp4" && !MP4_BRAND.test(brand)) return null;
  if (ext === "avif" && brand === AVIF_SEQUENCE) return null;
  const mime = CONTENT_TYPES[ext];
  return { ext, mime, kind: mime.startsWith("video/") ? "video" : "image" };
}
