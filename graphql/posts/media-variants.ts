/** The sizes of a post's file. */
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import { PREVIEW_SIZE, SAMPLE_WIDTH, scaled, within } from "../../src/media/sizes.js";
import type { MediaVariant } from "./media-file.type.js";

/** The URLs of a post's files; null without a sample. */
export interface FileUrls {
  original: string;
  preview: string;
  sample: string | null;
}

/** The preview, the original, and the sample if there is one. */
export function variantsOf(post: PostRecord, urls: FileUrls): MediaVariant[] {
  const { imageWidth: width, imageHeight: height } = post;
  const variants = [
    { type: "preview", url: urls.preview, ...within({ width, height }, PREVIEW_SIZE), fileExt: "jpg" },
    { type: "original", url: urls.original, width, height, fileExt: post.fileExt },
  ];
  if (urls.sample === null) return variants;
  const sample = scaled(width, height, SAMPLE_WIDTH / width);
  return [...variants, { type: "sample", url: urls.sample, ...sample, fileExt: "jpg" }];
}
