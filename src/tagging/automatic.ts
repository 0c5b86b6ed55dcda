/** Automatic tags: added and removed according to the properties of the file. */

export interface FileFacts {
  imageWidth: number;
  imageHeight: number;
  fileSize: number;
  fileExt: string;
  frames: number;
  hasSound: boolean;
}

const MiB = 1024 * 1024;

/** Tag name -> condition for it. Dimensions in pixels. */
const RULES: Record<string, (file: FileFacts) => boolean> = {
  incredibly_absurdres: (f) => f.imageWidth >= 10_000 || f.imageHeight >= 10_000,
  absurdres: (f) => f.imageWidth >= 3_200 || f.imageHeight >= 2_400,
  highres: (f) => f.imageWidth >= 1_600 || f.imageHeight >= 1_200,
  lowres: (f) => f.imageWidth <= 500 && f.imageHeight <= 500,
  huge_filesize: (f) => f.fileSize >= 10 * MiB,
  animated_gif: (f) => f.fileExt === "gif" && f.frames > 1,
  animated_png: (f) => f.fileExt === "png" && f.frames > 1,
  animated: (f) => f.frames > 1 || f.fileExt === "mp4" || f.fileExt === "webm",
  video: (f) => f.fileExt === "mp4" || f.fileExt === "webm",
  sound: (f) => f.hasSound,
};

const isWide = (f: FileFacts): boolean => f.imageWidth >= 1_024 && f.imageWidth / f.imageHeight >= 4;
const isTall = (f: FileFacts): boolean => f.imageHeight >= 1_024 && f.imageHeight / f.imageWidth >= 4;

/** Added if they apply, but never removed: users may set them as well. */
const SUGGESTIONS: Record<string, (file: FileFacts) => boolean> = {
  wide_image: isWide,
  tall_image: isTall,
  long_image: (f) => isWide(f) || isTall(f),
};

/** The tag of a post without any other. */
const UNTAGGED = "tagme";

/** All tags that can be added automatically. */
export const AUTOMATIC_NAMES: readonly string[] = [UNTAGGED, ...Object.keys(RULES), ...Object.keys(SUGGESTIONS)];

/** The names with the file's automatic tags, and without those that don't apply. An empty list becomes `tagme`. */
export function withAutomaticTags(names: readonly string[], file: FileFacts): string[] {
  const kept = names.filter((name) => !Object.hasOwn(RULES, name));
  const base = kept.length > 0 ? kept : [UNTAGGED];
  const added = Object.entries({ ...RULES, ...SUGGESTIONS }).flatMap(([name, applies]) =>
    applies(file) ? [name] : [],
  );
  return [...new Set([...base, ...added])];
}
