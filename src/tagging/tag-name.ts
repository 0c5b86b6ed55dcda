/** Names of tags: how they are normalised and which are refused. */
import { Problems } from "../errors.js";
import { metatagNames } from "../search/posts/search.js";
import { isStorable, lengthOf } from "../lib/text.js";
import { actionNames } from "./tag-actions.js";

export const MAX_NAME_LENGTH = 170;
const RESERVED = new Set(["and", "or"]);

/** Lower case, blanks to underscores, without leading dashes and tildes and without `*`, `,` and `%`. */
export const normalizeTagName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/\s+/gu, "_")
    .replace(/[*,%]/g, "")
    .replace(/^[-~]+/, "");

/** The words that a tag's name may not begin with, before a colon. */
const METATAGS: ReadonlySet<string> = new Set([...metatagNames(), ...actionNames]);

/** @throws BoardError 420 for names that can't be tags */
export function checkTagNames(names: Iterable<string>): void {
  const problems = new Problems();
  for (const name of names) checkTagName(name, problems);
  problems.throwIfAny();
}

/**
 * Reports names that would break the search language: blank, too long, a word of the grammar, or one that begins like
 * a meta-tag or a group.
 * @param field the field that the name was given in
 */
export function checkTagName(name: string, problems: Problems, field = "tag_string"): void {
  if (name === "" || !isStorable(name)) problems.add(field, "invalid");
  if (lengthOf(name) > MAX_NAME_LENGTH) problems.add(field, "too_long", { limit: MAX_NAME_LENGTH });
  if (RESERVED.has(name)) problems.add(field, "reserved");
  // the search language has groups there; behind the backslash it reads such tags as are there from before
  if (/^\\?[()]/.test(name)) problems.add(field, "parenthesis");
  const prefix = /^(\w+):/.exec(name)?.[1];
  if (prefix && METATAGS.has(prefix)) problems.add(field, "metatag", { metatag: prefix });
}
