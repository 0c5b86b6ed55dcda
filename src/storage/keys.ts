/**
 * Keys of a post's files in the storage, paths with forward slashes:
 *
 *     original/ab/cd/<md5>.<ext>     the uploaded file
 *     preview/ab/cd/<md5>.jpg        the thumbnail, at most 180 by 180 pixels
 *     360x360/ab/cd/<md5>.webp       larger thumbnails, of pictures
 *     720x720/ab/cd/<md5>.webp       larger than the next smaller one
 *     sample/ab/cd/sample-<md5>.jpg  the sample, of some pictures
 *
 * ab and cd are the first four digits of the md5 and keep the folders small.
 */

/** The part of a media file that its keys depend on. */
export interface MediaFile {
  /** 32 hexadecimal digits, lower case */
  md5: string;
  /** extension of the original, without the dot */
  fileExt: string;
}

/** The fields that determine which files exist in addition to the original and preview. */
export interface DerivedFacts {
  imageWidth: number;
  imageHeight: number;
  hasSample: boolean;
  /** ThumbHash, written together with the larger thumbnails; null or empty without them */
  placeholder: string | null;
}

/** Maximum width and height of the larger thumbnails in pixels. */
export const THUMBNAIL_SIZES = [360, 720] as const;
export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number];

export type Derived = "preview" | "360x360" | "720x720" | "sample";
export type Variant = "original" | Derived;

export interface ParsedKey {
  variant: Variant;
  md5: string;
  /** extension of the stored file, without the dot */
  ext: string;
}

/** Extension -> content type of the accepted file types. */
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

export const originalKey = ({ md5, fileExt }: MediaFile): string => `original/${folders(md5)}/${md5}.${fileExt}`;

/** Key of the thumbnail, always a JPEG. */
export const previewKey = ({ md5 }: Pick<MediaFile, "md5">): string => `preview/${folders(md5)}/${md5}.jpg`;

/** Key of a larger thumbnail, always a WebP. */
export const thumbnailKey = ({ md5 }: Pick<MediaFile, "md5">, size: ThumbnailSize): string =>
  `${size}x${size}/${folders(md5)}/${md5}.webp`;

/** Key of the large sample, always a JPEG. */
export const sampleKey = ({ md5 }: Pick<MediaFile, "md5">): string => `sample/${folders(md5)}/sample-${md5}.jpg`;

const KEYS: Readonly<Record<Variant, (file: MediaFile) => string>> = {
  original: originalKey,
  preview: previewKey,
  "360x360": (file) => thumbnailKey(file, 360),
  "720x720": (file) => thumbnailKey(file, 720),
  sample: sampleKey,
};

export const keyOf = (variant: Variant, file: MediaFile): string => KEYS[variant](file);

/** The larger thumbnails of a picture of this size: each one if the picture is larger than half of it. */
export const thumbnailSizes = (width: number, height: number): ThumbnailSize[] =>
  THUMBNAIL_SIZES.filter((size) => Math.max(width, height) > size / 2);

/** The derived files that exist for a media file. */
export const derivedOf = ({ imageWidth, imageHeight, hasSample, placeholder }: DerivedFacts): Derived[] => [
  "preview",
  ...(placeholder ? thumbnailSizes(imageWidth, imageHeight) : []).map((size) => `${size}x${size}` as Derived),
  ...(hasSample ? (["sample"] as const) : []),
];

/** Keys of all files of a media file, the original first. */
export const keysOf = (file: MediaFile & DerivedFacts): string[] => [
  originalKey(file),
  ...derivedOf(file).map((variant) => keyOf(variant, file)),
];

/** Keys of all files that a media file may have. */
export const possibleKeys = (file: MediaFile): string[] => Object.values(KEYS).map((key) => key(file));

const KEY = /^([a-z0-9]+)\/[0-9a-f]{2}\/[0-9a-f]{2}\/(?:sample-)?([0-9a-f]{32})\.([a-z0-9]{1,5})$/;

/** Parses a key; null unless the functions above would build exactly this key. */
export function parseKey(key: string): ParsedKey | null {
  const [, variant, md5, ext] = KEY.exec(key) ?? [];
  if (!variant || !md5 || !ext || !Object.hasOwn(KEYS, variant)) return null;
  if (keyOf(variant as Variant, { md5, fileExt: ext }) !== key) return null;
  return { variant: variant as Variant, md5, ext };
}

/** Content type of an extension; `application/octet-stream` for types that are not accepted. */
export function contentType(ext: string): string {
  return Object.hasOwn(CONTENT_TYPES, ext) ? CONTENT_TYPES[ext as MediaExt] : "application/octet-stream";
}
