/** What is shown of a post and is no column of it: which every post is given on its way into an answer. */
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import { maySeeFile } from "../../src/resources/posts/post.policy.js";
import type { GivenLater, PostRecord } from "../../src/resources/posts/post.records.js";
import { originalKey, previewKey, sampleKey } from "../../src/storage/keys.js";
import { TagCategory } from "../../src/tagging/categories.js";
import type { TagStrings } from "../../src/tagging/tag-cache.js";
import type { GraphQLContext } from "../context.js";
import type { MediaFile } from "./media-file.type.js";
import { variantsOf } from "./media-variants.js";

/** Whether there are children that a viewer is shown. */
const hasVisibleChildren = (post: PostRecord): boolean =>
  post.hasActiveChildren || (post.hasChildren && post.isDeleted);

/** `pool:<id>` words. */
const poolString = (post: PostRecord): string => post.poolTokens.join(" ");

interface FileFacts {
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

type Facts = Partial<Record<GivenLater | "md5", unknown>>;

/** All that is shown of a post and is no column, its tags apart; records have room for it (`GivenLater`). */
const factsOf = (post: PostRecord, viewer: Viewer, filesUrl: string) =>
  ({
    ...fileFacts(post, viewer, filesUrl),
    hasVisibleChildren: hasVisibleChildren(post),
    hasLarge: post.hasSample,
    poolString: poolString(post),
  }) satisfies Facts;

const tagFactsOf = ({ all, byCategory }: TagStrings) =>
  ({
    tagString: all,
    tagStringGeneral: byCategory[TagCategory.general],
    tagStringArtist: byCategory[TagCategory.artist],
    tagStringCopyright: byCategory[TagCategory.copyright],
    tagStringCharacter: byCategory[TagCategory.character],
    tagStringMeta: byCategory[TagCategory.meta],
  }) satisfies Facts;

/** A post with everything that the type `Post` has, the names of tags as far as they were asked for. */
export type FinishedPost = PostRecord & ReturnType<typeof factsOf> & Partial<ReturnType<typeof tagFactsOf>>;

/** Gives a post all but the names of its tags. It gets it itself, since to copy it would take longer than the rest. */
export const finish = (post: PostRecord, viewer: Viewer, filesUrl: string): FinishedPost =>
  Object.assign(post, factsOf(post, viewer, filesUrl)) as FinishedPost;

export const giveTags = (post: FinishedPost, strings: TagStrings): FinishedPost =>
  Object.assign(post, tagFactsOf(strings));

/** Whether a post has been given it. */
export const isFinished = (post: Partial<FinishedPost>): post is FinishedPost => post.fileUrl !== undefined;
export const hasTags = (post: FinishedPost): boolean => post.tagString !== undefined;
