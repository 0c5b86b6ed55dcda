/** Tags that the board sets and takes away by itself, from what the file is. */

export interface FileFacts {
  imageWidth: number;
  imageHeight: number;
  fileSize: number;
  fileExt: string;
  frames: number;
  hasSound: boolean;
}

const MiB = 1024 * 1024;

/** name -> when the file has it. Sizes in pixels. */
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

/** Added where they apply, but not taken away from where a user set them. */
const SUGGESTIONS: Record<string, (file: FileFacts) => boolean> = {
  wide_image: isWide,
  tall_image: isTall,
  long_image: (f) => isWide(f) || isTall(f),
};

/** What the post has that would have no tag. */
const UNTAGGED = "tagme";

/** All that the board may add by itself. */
export const AUTOMATIC_NAMES: readonly string[] = [UNTAGGED, ...Object.keys(RULES), ...Object.keys(SUGGESTIONS)];

/** The list with the automatic tags set right for the file. An empty list becomes `tagme`. */
export function withAutomaticTags(names: readonly string[], file: FileFacts): string[] {
  const kept = names.filter((name) => !Object.hasOwn(RULES, name));
  const base = kept.length > 0 ? kept : [UNTAGGED];
  const added = Object.entries({ ...RULES, ...SUGGESTIONS }).flatMap(([name, holds]) => (holds(file) ? [name] : []));
  return [...new Set([...base, ...added])];
}
