import { int, float, string, date, nested, listOf, nullable, objectType, Costing } from "../shared/fields.js";

export const MediaVariant = objectType("MediaVariant", "One variant of a post's file.", {
  type: string("`original`, `sample` (850 pixels wide) or `preview` (at most 180 by 180)."),
  url: string("URL of the file."),
  width: int("Width in pixels."),
  height: int("Height in pixels."),
  fileExt: string("File extension without the dot."),
});
export type MediaVariant = InstanceType<typeof MediaVariant>;

export const MediaFile = objectType("MediaFile", "A post's file with all its variants.", {
  id: int("ID of the file."),
  createdAt: date("When the file was uploaded."),
  md5: string("MD5 of the file, 32 hexadecimal digits."),
  fileExt: string("File extension without the dot, as detected from the content."),
  fileSize: int("Size in bytes."),
  imageWidth: int("Width in pixels."),
  imageHeight: int("Height in pixels."),
  duration: nullable(float("Duration in seconds; null for images.")),
  variants: listOf(
    nested(
      () => MediaVariant,
      "The available variants.",
      Costing(({ childComplexity }) => 3 * childComplexity),
    ),
  ),
});
export type MediaFile = InstanceType<typeof MediaFile>;
