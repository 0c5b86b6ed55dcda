/**
 * Where the files of a post lie. A key is a path with forward slashes below the root of the storage:
 *
 *     original/ab/cd/<md5>.<ext>     the file as it was uploaded
 *     preview/ab/cd/<md5>.jpg        the thumbnail
 *     sample/ab/cd/sample-<md5>.jpg  the large sample, of some pictures
 *
 * ab and cd are the first two pairs of digits of the md5 and keep the folders small.
 */

/** What a key needs to know of a file. */
export interface MediaFile {
  /** 32 hexadecimal digits, lower case */
  md5: string;
  /** extension of the original, without the dot */
  fileExt: string;
}

export type Variant = "original" | "preview" | "sample";

/** A key taken apart. */
export interface ParsedKey {
  variant: Variant;
  md5: string;
  /** extension of the stored file, without the dot: `jpg` for previews and samples */
  ext: string;
}

/** Extension -> content type, of every kind of file that the board takes. */
export const CONTENT_TYPES = {
  jpg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  mp4: "video/mp4",
  webm: "video/webm",
} as const;

export type MediaExt = keyof typeof CONTENT_TYPES;

const folders = (md5: string): string => `${md5.slice(0, 2)}/${md5.slice(2, 4)}`;

/** Key of the file as it was uploaded. */
export const originalKey = ({ md5, fileExt }: MediaFile): string => `original/${folders(md5)}/${md5}.${fileExt}`;

/** Key of the thumbnail, always a JPEG. */
export const previewKey = ({ md5 }: Pick<MediaFile, "md5">): string => `preview/${folders(md5)}/${md5}.jpg`;

/** Key of the large sample, always a JPEG. */
export const sampleKey = ({ md5 }: Pick<MediaFile, "md5">): string => `sample/${folders(md5)}/sample-${md5}.jpg`;

/** Keys of all files of a media file. */
export const keysOf = (file: MediaFile & { hasSample: boolean }): string[] => [
  originalKey(file),
  previewKey(file),
  ...(file.hasSample ? [sampleKey(file)] : []),
];

const KEY = /^(original|preview|sample)\/[0-9a-f]{2}\/[0-9a-f]{2}\/(?:sample-)?([0-9a-f]{32})\.([a-z0-9]+)$/;

function keyOf(variant: string, file: MediaFile): string {
  if (variant === "original") return originalKey(file);
  return variant === "preview" ? previewKey(file) : sampleKey(file);
}

/** Takes a key apart; null unless the functions above would build exactly this key. */
export function parseKey(key: string): ParsedKey | null {
  const [, variant, md5, ext] = KEY.exec(key) ?? [];
  if (!variant || !md5 || !ext) return null;
  if (keyOf(variant, { md5, fileExt: ext }) !== key) return null;
  return { variant: variant as Variant, md5, ext };
}

/** Content type of an extension; `application/octet-stream` for one that the board does not take. */
export function contentType(ext: string): string {
  return Object.hasOwn(CONTENT_TYPES, ext) ? CONTENT_TYPES[ext as MediaExt] : "application/octet-stream";
}
