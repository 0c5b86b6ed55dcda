/** The sizes of a post's file. */
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import { originalKey, previewKey, sampleKey } from "../../src/storage/keys.js";
import { PREVIEW_SIZE, SAMPLE_WIDTH, scaled, within } from "../../src/media/sizes.js";
import type { MediaVariant } from "./media-file.type.js";

/** The preview, the sample where there is one, and the original. */
export function variantsOf(post: PostRecord, filesUrl: string): MediaVariant[] {
  const { imageWidth: width, imageHeight: height } = post;
  const url = (key: string) => `${filesUrl}/${key}`;
  const variants = [
    { type: "preview", url: url(previewKey(post)), ...within({ width, height }, PREVIEW_SIZE), fileExt: "jpg" },
    { type: "original", url: url(originalKey(post)), width, height, fileExt: post.fileExt },
  ];
  if (!post.hasSample) return variants;
  const sample = scaled(width, height, SAMPLE_WIDTH / width);
  return [...variants, { type: "sample", url: url(sampleKey(post)), ...sample, fileExt: "jpg" }];
}
