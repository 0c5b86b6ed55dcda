/** What is shown of a post and is no column of it: for the resolvers of `Post`, and for REST's quick way past them. */
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import { maySeeFile } from "../../src/resources/posts/post.policy.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import { originalKey, previewKey, sampleKey } from "../../src/storage/keys.js";
import type { TagStrings } from "../../src/tagging/tag-cache.js";
import type { GraphQLContext } from "../context.js";
import type { MediaFile } from "./media-file.type.js";
import { variantsOf } from "./media-variants.js";

/** Whether there are children that a viewer is shown. */
export const hasVisibleChildren = (post: PostRecord): boolean =>
  post.hasActiveChildren || (post.hasChildren && post.isDeleted);

/** `pool:<id>` words. */
export const poolString = (post: PostRecord): string => post.poolTokens.join(" ");

export interface FileFacts {
  md5: string | null;
  fileUrl: string | null;
  largeFileUrl: string | null;
  previewFileUrl: string | null;
  mediaFile: MediaFile | null;
}

const HIDDEN: FileFacts = { md5: null, fileUrl: null, largeFileUrl: null, previewFileUrl: null, mediaFile: null };

/** What the URLs of files begin with, without a slash at its end: the store's or a CDN's address, or the board's own. */
export const filesUrlOf = ({ board: { config }, baseUrl }: Pick<GraphQLContext, "board" | "baseUrl">): string =>
  (config.STORAGE === "s3" && config.S3_PUBLIC_URL) || `${baseUrl}/data`;

/** The post's file, as far as the viewer may see it. @param filesUrl by `filesUrlOf` */
export function fileFacts(post: PostRecord, viewer: Viewer, filesUrl: string): FileFacts {
  if (!maySeeFile(viewer, post)) return HIDDEN;
  const url = (key: string) => `${filesUrl}/${key}`;
  const { md5, fileExt, fileSize, imageWidth, imageHeight, duration } = post;
  const facts = { md5, fileExt, fileSize, imageWidth, imageHeight, duration };
  return {
    md5,
    fileUrl: url(originalKey(post)),
    largeFileUrl: url(post.hasSample ? sampleKey(post) : originalKey(post)),
    previewFileUrl: url(previewKey(post)),
    mediaFile: { ...facts, id: post.mediaFileId, createdAt: post.fileCreatedAt, variants: variantsOf(post, filesUrl) },
  };
}

/**
 * Everything that the type `Post` has but for what takes further statements, by the names of its fields.
 * @param post gets the fields itself, since to copy it would take longer than the rest
 */
export const postFacts = (post: PostRecord, tags: TagStrings, viewer: Viewer, filesUrl: string) =>
  Object.assign(post, fileFacts(post, viewer, filesUrl), {
    hasVisibleChildren: hasVisibleChildren(post),
    tagString: tags.all,
    tagStringGeneral: tags.byCategory[0],
    tagStringArtist: tags.byCategory[1],
    tagStringCopyright: tags.byCategory[3],
    tagStringCharacter: tags.byCategory[4],
    tagStringMeta: tags.byCategory[5],
    hasLarge: post.hasSample,
    poolString: poolString(post),
  });
