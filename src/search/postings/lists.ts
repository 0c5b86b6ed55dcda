/** Posting lists: the posts of each tag that has many, in blocks of ids. */

/** "bits": a bit for each id of a block; "ids": the ids themselves, ascending. */
export type PostingKind = "bits" | "ids";

/** Ids of a block, as a power of two. */
export const BLOCK_BITS = 13;
export const BLOCK = 2 ** BLOCK_BITS;

/** The thresholds of lists and their kinds. */
export interface PostingLimits {
  /** number of posts from which on a tag has a list; it is removed below half of that. Fewer are found fast by the index of tag ids */
  least: number;
  /** share of the posts from which on a list has bits instead of ids; it has ids again below half of that */
  common: number;
}

export const POSTING_LIMITS: PostingLimits = { least: 200, common: 0.01 };
