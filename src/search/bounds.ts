/** Limits of search texts. Longer ones are refused before they are parsed. */
import { failure } from "../errors.js";
import { isStorable } from "../lib/text.js";

/** A whole search of posts, or a list of names: 40 tags of 170 characters, or 4,000 ids. */
export const SEARCH_BYTES = 32_768;

/** A text compared with those of records: a name, a URL, words, or a pattern. */
const TEXT_BYTES = 4_096;

/** PostgreSQL compares a pattern with every text that the index does not exclude; each `*` adds time. */
const MOST_WILDCARDS = 100;

/** @throws BoardError 424 for a longer text */
export function requireLength(text: string, limit: number): void {
  if (text.length > limit || Buffer.byteLength(text) > limit) throw failure("search_too_long", { limit });
}

/** @throws BoardError 424 for a text that is too long, or has too many `*` (runs of them count as one) */
export function requireComparable(text: string): void {
  requireLength(text, TEXT_BYTES);
  if ((text.match(/\*+/g)?.length ?? 0) > MOST_WILDCARDS)
    throw failure("too_many_wildcards", { limit: MOST_WILDCARDS });
}

/**
 * Whether a text can be compared with those of records; one that can't be stored matches none.
 * @throws BoardError 424 for a text that is too long, or has too many `*`
 */
export function isSearchable(text: string): boolean {
  requireComparable(text);
  return isStorable(text);
}
