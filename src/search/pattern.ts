/** Patterns as users write them. */
import { requireComparable } from "./bounds.js";

/**
 * The LIKE pattern of a text in which `*` stands for any characters; `%`, `_` and `\` mean themselves. Runs of `*` say no
 * more than one, and PostgreSQL would try them all.
 * @throws BoardError 424 for a text that is too long, or has too many `*`
 */
export function likePattern(text: string): string {
  requireComparable(text);
  return text.replace(/[\\%_]/g, "\\$&").replace(/\*+/g, "%");
}
