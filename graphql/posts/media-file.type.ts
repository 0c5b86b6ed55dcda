import { int, float, string, date, nested, listOf, nullable, objectType, Costing } from "../shared/fields.js";

export const MediaVariant = objectType("MediaVariant", "One size of a post's file.", {
  type: string("`original`, `sample` (850 pixels wide) or `preview` (at most 180 by 180)."),
  url: string("Where the file is."),
  width: int("Width in pixels."),
  height: int("Height in pixels."),
  fileExt: string("Extension, without the dot."),
});
export type MediaVariant = InstanceType<typeof MediaVariant>;

export const MediaFile = objectType("MediaFile", "A post's file, in all its sizes.", {
  id: int("Number of the file."),
  createdAt: date("When the file came to the board."),
  md5: string("MD5 of the file, 32 hexadecimal digits."),
  fileExt: string("Extension, without the dot: what the bytes say, not what the name said."),
  fileSize: int("Size in bytes."),
  imageWidth: int("Width in pixels."),
  imageHeight: int("Height in pixels."),
  duration: nullable(float("Length in seconds; null for pictures.")),
  variants: listOf(
    nested(
      () => MediaVariant,
      "The sizes that there are.",
      Costing(({ childComplexity }) => 3 * childComplexity),
    ),
  ),
});
export type MediaFile = InstanceType<typeof MediaFile>;
