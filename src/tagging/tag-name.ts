/** Normalisation and validation of tag names. */
import { validate, type ValidationErrors } from "../errors.js";
import { metatagNames } from "../search/posts/search.js";
import { categoryOfPrefix } from "./categories.js";
import { checkEach } from "../lib/check-each.js";
import { isStorable, lengthOf } from "../lib/text.js";
import { actionNames } from "./tag-actions.js";
import { composed, hasTooManyMarks, hasUnseen, toTagSpelling } from "../lib/names.js";

export const MAX_NAME_LENGTH = 170;
const RESERVED = new Set(["and", "or"]);

/** Composed, in lower case, with underscores for blanks, without leading dashes and tildes and without `*`, `,` and `%`. */
export const normalizeTagName = (name: string): string =>
  composed(
    toTagSpelling(name)
      .replace(/[*,%]/g, "")
      .replace(/^[-~]+/, ""),
  );

/** Prefixes (before a colon) that tag names must not have. */
const METATAGS: ReadonlySet<string> = new Set([...metatagNames(), ...actionNames]);

/** @throws BoardError 420 for invalid names in a tag string */
export const checkTagNames = (names: Iterable<string>): void =>
  validate((problems) => checkEach(problems, "tag_string", names, checkTagName));

/**
 * Reports names that searches could not express: empty, too long, a keyword, or beginning like a meta-tag, a category or a group; and those with
 * characters that are not seen, or more marks on a letter than are composed.
 * @param field the input field with the name
 */
export function checkTagName(name: string, problems: ValidationErrors, field = "tag_string"): void {
  if (!isStorable(name) || hasUnseen(name) || hasTooManyMarks(name)) problems.add(field, "invalid");
  if (lengthOf(name) > MAX_NAME_LENGTH) problems.add(field, "too_long", { limit: MAX_NAME_LENGTH });
  if (RESERVED.has(name)) problems.add(field, "reserved");
  // a group in searches; with the backslash, searches find existing tags of this kind
  if (/^\\?[()]/.test(name)) problems.add(field, "parenthesis");
  const [, prefix = "", rest = ""] = /^(\w+):(.*)$/su.exec(name) ?? [];
  // in a tag string, the prefix of a category is no part of the name: the next edit would replace the tag by another one
  const isOfCategory = rest !== "" && categoryOfPrefix(prefix) !== null;
  if (METATAGS.has(prefix) || isOfCategory) problems.add(field, "metatag", { metatag: prefix });
}

/** The words of a tag's name, without punctuation, as the original's `words`; of a name of nothing else, the name. */
export function wordsOf(name: string): string[] {
  const words = name.match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*/gu) ?? [];
  return words.length > 0 ? words : [name];
}
