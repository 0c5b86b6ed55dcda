/** Patterns as entered by users. */
import { requireComparable } from "./bounds.js";

/**
 * The LIKE pattern for a text in which `*` matches any characters; `%`, `_` and `\` are literal. Runs of `*` are merged,
 * since PostgreSQL would try each of them.
 * @throws BoardError 424 for a text that is too long, or has too many `*`
 */
export function likePattern(text: string): string {
  requireComparable(text);
  return text.replace(/[\\%_]/g, "\\$&").replace(/\*+/g, "%");
}

/**
 * The LIKE pattern for a text anywhere in a value; with `*` it is a pattern for the whole value.
 * @throws BoardError 424 as `likePattern`
 */
export const likeAnywhere = (text: string): string =>
  text.includes("*") ? likePattern(text) : `%${likePattern(text)}%`;
