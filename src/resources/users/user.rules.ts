/** Validation of user names and mail addresses. */
import type { ValidationErrors } from "../../errors.js";
import { composed, composedLower, hasTooManyMarks } from "../../lib/names.js";
import { isStorable, lengthOf } from "../../lib/text.js";

const NAME_MAX = 100;
/** the maximum length of a mail address */
const EMAIL_MAX = 254;
const RESERVED_NAMES = new Set(["anonymous", "any", "none", "new", "system"]);

/** What no name contains: spaces, marks of searches, and what can't be seen. */
const FORBIDDEN = /[\s:,*~\p{C}\u{16FE4}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]|^[_-]|_$/u;

const LATIN = /\p{Script=Latin}/u;
/** Letters, marks and digits that no name has beside Latin letters: all but Chinese, Japanese and Korean ones (UTS #39, "highly restrictive"). */
const BESIDE_NO_LATIN =
  /(?![\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}])[\p{L}\p{M}\p{N}]/u;

/** Other alphabets with letters that look like those of another. */
const ALPHABETS = [/\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u];

/**
 * Whether a name could be made to look like another: in letters of two alphabets, or in other forms of the same letters, also those of which
 * only the small letter is one code point.
 */
const isDisguised = (name: string): boolean =>
  name !== composed(name, "NFKC") ||
  name.toLowerCase() !== composedLower(name) ||
  hasTooManyMarks(name) ||
  (LATIN.test(name) && BESIDE_NO_LATIN.test(name)) ||
  ALPHABETS.filter((letters) => letters.test(name)).length > 1;

/**
 * Names: 2 to 100 characters without spaces, colons and what can't be seen, no underscore at either end, in letters of one alphabet.
 * @returns the name as it is stored: trimmed and composed
 */
export function checkName(problems: ValidationErrors, name: string): string {
  const trimmed = composed(name.trim());
  const length = lengthOf(trimmed);
  if (length < 2) problems.add("name", "too_short", { limit: 2 });
  if (length > NAME_MAX) problems.add("name", "too_long", { limit: NAME_MAX });
  if (!isStorable(trimmed) || FORBIDDEN.test(trimmed) || isDisguised(trimmed)) problems.add("name", "invalid");
  if (RESERVED_NAMES.has(trimmed.toLowerCase())) problems.add("name", "reserved");
  return trimmed;
}

/** @returns the trimmed address; null for none */
export function checkEmail(problems: ValidationErrors, email: string | null | undefined): string | null {
  if (!email) return null;
  const trimmed = email.trim();
  if (email.length > EMAIL_MAX) problems.add("email", "too_long", { limit: EMAIL_MAX });
  else if (trimmed && !/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(trimmed)) problems.add("email", "invalid");
  return trimmed || null;
}
