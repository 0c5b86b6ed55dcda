/**
 * The posts of the list from which a post was opened, in order, as far as known: a post of the list is shown at once,
 * before its own response arrives.
 */
import type { TagList_TagFragment } from "./__generated__/tag-list.js";
import type { Listed } from "../lib/hidden.js";
import type { RatingName } from "../lib/rating.js";
import type { Ref } from "../lib/mask.js";

/** What a list contains of a post. */
export interface ListedPost extends Listed {
  rating: RatingName;
  imageWidth: number;
  imageHeight: number;
  fileExt: string;
  largeFileUrl: string | null;
  hasLarge: boolean;
  tagString: string;
  thumbnail: { url: string; srcSet: string; placeholder: string | null } | null;
}

type Tag = { name: string } & Ref<TagList_TagFragment>;

interface Walk {
  search: string;
  posts: readonly ListedPost[];
  /** tags of the posts in the list */
  tags: readonly Tag[];
}

/** A post before its own response has arrived. */
export interface KnownPost {
  post: ListedPost;
  before: readonly ListedPost[];
  after: readonly ListedPost[];
  tags: readonly Tag[];
  /** URL of the picture of it that the browser has already */
  shown: string | null;
}

/** Number of posts on each side. */
const BESIDE = 5;

let walk: Walk = { search: "", posts: [], tags: [] };
let shown: { id: number; url: string } | null = null;

/** The current list. */
export const walkAlong = (along: Walk): void => void (walk = along);

/** Records that a post is opened by its tile, whose picture the browser has. */
export function openFrom(id: number, tile: Element | null): void {
  const picture = tile?.querySelector("img");
  shown = picture?.complete && picture.currentSrc ? { id, url: picture.currentSrc } : null;
}

/** What is known of a post of the list; null if it is not in it. */
export function knownPost(id: number, search: string): KnownPost | null {
  const at = walk.posts.findIndex((each) => each.id === id);
  const post = walk.posts[at];
  if (!post || walk.search !== search) return null;
  const names = new Set(post.tagString.split(" "));
  return {
    post,
    before: walk.posts.slice(Math.max(at - BESIDE, 0), at).toReversed(),
    after: walk.posts.slice(at + 1, at + 1 + BESIDE),
    tags: walk.tags.filter(({ name }) => names.has(name)),
    shown: shown?.id === id ? shown.url : (post.thumbnail?.url ?? null),
  };
}
