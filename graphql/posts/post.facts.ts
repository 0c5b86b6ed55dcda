/** The fields of a post that are not columns, which are added to every post before it is returned. */
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import { maySeeFile } from "../../src/resources/posts/post.policy.js";
import type { GivenLater, PostRecord } from "../../src/resources/posts/post.records.js";
import { PREVIEW_SIZE, SAMPLE_WIDTH, scaled, within } from "../../src/media/sizes.js";
import { originalKey, previewKey, sampleKey } from "../../src/storage/keys.js";
import { TagCategory } from "../../src/tagging/categories.js";
import type { TagStrings } from "../../src/tagging/cached-tags.js";
import type { GraphQLContext } from "../context.js";
import type { MediaFile, MediaVariant } from "./media-file.type.js";

/** The URLs of a post's files; null without a sample. */
interface FileUrls {
  original: string;
  preview: string;
  sample: string | null;
}

interface FileFacts {
  md5: string | null;
  fileUrl: string | null;
  largeFileUrl: string | null;
  previewFileUrl: string | null;
  mediaFile: MediaFile | null;
}

const HIDDEN: FileFacts = { md5: null, fileUrl: null, largeFileUrl: null, previewFileUrl: null, mediaFile: null };

/** Base of file URLs, without a trailing slash: the store's or a CDN's, or the board's own. */
export const filesUrlOf = ({ board: { config }, baseUrl }: Pick<GraphQLContext, "board" | "baseUrl">): string =>
  (config.STORAGE === "s3" && config.S3_PUBLIC_URL) || `${baseUrl}/data`;

/** Each created once, since several fields use it. */
const urlsOf = (post: PostRecord, filesUrl: string): FileUrls => ({
  original: `${filesUrl}/${originalKey(post)}`,
  preview: `${filesUrl}/${previewKey(post)}`,
  sample: post.hasSample ? `${filesUrl}/${sampleKey(post)}` : null,
});

/** The preview, the original, and the sample if there is one. */
function variantsOf(post: PostRecord, urls: FileUrls): MediaVariant[] {
  const { imageWidth: width, imageHeight: height } = post;
  const variants = [
    { type: "preview", url: urls.preview, ...within({ width, height }, PREVIEW_SIZE), fileExt: "jpg" },
    { type: "original", url: urls.original, width, height, fileExt: post.fileExt },
  ];
  if (urls.sample === null) return variants;
  const sample = scaled(width, height, SAMPLE_WIDTH / width);
  return [...variants, { type: "sample", url: urls.sample, ...sample, fileExt: "jpg" }];
}

/** The post's file, as far as the viewer may see it. @param filesUrl by `filesUrlOf` */
export function fileFacts(post: PostRecord, viewer: Viewer, filesUrl: string): FileFacts {
  if (!maySeeFile(viewer, post)) return HIDDEN;
  const urls = urlsOf(post, filesUrl);
  return {
    md5: post.md5,
    fileUrl: urls.original,
    largeFileUrl: urls.sample ?? urls.original,
    previewFileUrl: urls.preview,
    mediaFile: {
      id: post.mediaFileId,
      createdAt: post.fileCreatedAt,
      md5: post.md5,
      fileExt: post.fileExt,
      fileSize: post.fileSize,
      imageWidth: post.imageWidth,
      imageHeight: post.imageHeight,
      duration: post.duration,
      variants: variantsOf(post, urls),
    },
  };
}

type Facts = Partial<Record<GivenLater | "md5", unknown>>;

/** All fields that are not columns, except tags; records have room for them (`GivenLater`). */
function factsOf(post: PostRecord, viewer: Viewer, filesUrl: string) {
  return {
    ...fileFacts(post, viewer, filesUrl),
    hasVisibleChildren: post.hasActiveChildren || (post.hasChildren && post.isDeleted),
    hasLarge: post.hasSample,
    poolString: post.poolTokens.join(" "),
  } satisfies Facts;
}

const tagFactsOf = ({ all, byCategory }: TagStrings) =>
  ({
    tagString: all,
    tagStringGeneral: byCategory[TagCategory.general],
    tagStringArtist: byCategory[TagCategory.artist],
    tagStringCopyright: byCategory[TagCategory.copyright],
    tagStringCharacter: byCategory[TagCategory.character],
    tagStringMeta: byCategory[TagCategory.meta],
  }) satisfies Facts;

/** A post with all fields of the type `Post`, and the tag names that were selected. */
export type FinishedPost = PostRecord & ReturnType<typeof factsOf> & Partial<ReturnType<typeof tagFactsOf>>;

/** Adds all fields except tag names to a post. In place, since copying it would take longer than the rest. */
export const finish = (post: PostRecord, viewer: Viewer, filesUrl: string): FinishedPost =>
  Object.assign(post, factsOf(post, viewer, filesUrl)) as FinishedPost;

export const giveTags = (post: FinishedPost, strings: TagStrings): FinishedPost =>
  Object.assign(post, tagFactsOf(strings));

/** Whether these fields were added to a post. */
export const isFinished = (post: Partial<FinishedPost>): post is FinishedPost => post.fileUrl !== undefined;
export const hasTags = (post: FinishedPost): boolean => post.tagString !== undefined;
