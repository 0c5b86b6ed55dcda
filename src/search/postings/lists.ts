/** What posting lists are: for each tag that many posts have, which posts, by blocks of ids. */

/** "bits": a bit for each id of a block; "ids": the ids themselves, ascending. */
export type PostingKind = "bits" | "ids";

/** Ids of a block, as a power of two. */
export const BLOCK_BITS = 13;
export const BLOCK = 2 ** BLOCK_BITS;

/** Which tags have lists, and of which kind. */
export interface PostingLimits {
  /** posts from which on a tag has a list; it loses it below half of that. Fewer are quickly found by the index of tag ids */
  least: number;
  /** share of the posts from which on a list has bits instead of ids, and ids again below half of that */
  common: number;
}

export const POSTING_LIMITS: PostingLimits = { least: 200, common: 0.01 };
