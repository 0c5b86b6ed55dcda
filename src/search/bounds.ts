/** How much text a search may have. What is longer is refused before anything looks at it. */
import { failure } from "../errors.js";
import { isStorable } from "../lib/text.js";

/** A whole search of posts, or a list of names: 40 tags of 170 characters, or 4,000 ids. */
export const SEARCH_BYTES = 32_768;

/** A text that is compared with those of records: a name, a URL, words, or a pattern. */
const TEXT_BYTES = 4_096;

/** What PostgreSQL compares with every text that the index leaves over takes time with each `*`. */
const MOST_WILDCARDS = 100;

/** @throws BoardError 424 for a text of more bytes */
export function requireLength(text: string, limit: number): void {
  if (text.length > limit || Buffer.byteLength(text) > limit) throw failure("search_too_long", { limit });
}

/** @throws BoardError 424 for a text that is too long to be compared, or has too many `*` (rows of them count as one) */
export function requireComparable(text: string): void {
  requireLength(text, TEXT_BYTES);
  if ((text.match(/\*+/g)?.length ?? 0) > MOST_WILDCARDS)
    throw failure("too_many_wildcards", { limit: MOST_WILDCARDS });
}

/**
 * Whether a text can be compared with those of records; no record has one that can't.
 * @throws BoardError 424 for a text that is too long, or has too many `*`
 */
export function isSearchable(text: string): boolean {
  requireComparable(text);
  return isStorable(text);
}
