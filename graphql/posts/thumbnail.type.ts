/** The picture of a post in lists, in all its sizes. */
import { PREVIEW_SIZE, within } from "../../src/media/sizes.js";
import { maySeeFile } from "../../src/resources/posts/post.policy.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import { previewKey, thumbnailKey, thumbnailSizes } from "../../src/storage/keys.js";
import type { GraphQLContext } from "../context.js";
import { int, nullable, objectType, string } from "../shared/fields.js";
import { filesUrlOf } from "./post.facts.js";

export const Thumbnail = objectType("Thumbnail", "Thumbnail of a post.", {
  url: string("URL of the smallest size, a JPEG of at most 180 by 180 pixels."),
  srcSet: string(
    "All sizes in the format of `srcset`, including WebP files of at most 360 and 720 pixels if the picture is that large.",
  ),
  width: int("Width of the smallest size in pixels."),
  height: int("Height of the smallest size in pixels."),
  placeholder: nullable(
    string(
      "ThumbHash of the picture in base64, at most 36 characters; null until the larger sizes have been generated.",
    ),
  ),
});
export type Thumbnail = InstanceType<typeof Thumbnail>;

/** The thumbnail; null if the viewer may not see the file. */
export function thumbnailOf(post: PostRecord, context: GraphQLContext): Thumbnail | null {
  if (!maySeeFile(context.viewer, post)) return null;
  const filesUrl = filesUrlOf(context);
  const size = { width: post.imageWidth, height: post.imageHeight };
  const url = `${filesUrl}/${previewKey(post)}`;
  const smallest = within(size, PREVIEW_SIZE);
  const larger = (post.placeholder ? thumbnailSizes(size.width, size.height) : []).map(
    (side) => `${filesUrl}/${thumbnailKey(post, side)} ${within(size, side).width}w`,
  );
  const srcSet = [`${url} ${smallest.width}w`, ...larger].join(", ");
  return { url, srcSet, ...smallest, placeholder: post.placeholder || null };
}
