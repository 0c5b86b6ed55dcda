/**
 * Names as keys. A letter with an accent may be written as one code point or as several that look the same: names are stored
 * composed (Unicode NFC), and what users type is composed before it is compared to them.
 */
import { isBlank } from "./text.js";

/** UTF-16 units: longer than any name, even decomposed. */
const LONGEST_COMPOSED = 2_400;
/** More marks on one letter than any language has: Unicode's "stream-safe" texts have 30 at most. */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/** Whether a letter has so many marks that the text is not composed. */
export const hasTooManyMarks = (text: string): boolean => TOO_MANY_MARKS.test(text);

/** Invisible characters, except those that join letters and emoji or select their form: names that differ only by them look the same. */
const UNSEEN =
  /(?![\u200C\u200D\p{Variation_Selector}])[\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}\u{16FE4}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u;

/** Whether a name has invisible characters, or no visible ones; underscores are displayed as spaces. */
export const hasUnseen = (name: string): boolean => UNSEEN.test(name) || isBlank(name.replaceAll("_", " "));

/**
 * A name, or a text to search for in names, in the form in which names are stored. Texts that can't be names stay unchanged: composing takes time that
 * grows with the square of the number of marks on a letter, minutes for a hundred thousand.
 * @param form also "NFKC", which unifies wide and narrow letters and the like
 */
export const composed = (text: string, form: "NFC" | "NFKC" = "NFC"): string =>
  text.length > LONGEST_COMPOSED || hasTooManyMarks(text) ? text : text.normalize(form);

/** Composed and in lower case: the lower case of some composed letters is not. */
export const composedLower = (text: string): string => composed(text.toLowerCase());

/** The stored form of tag names: trimmed, composed, in lower case, with runs of spaces as one underscore. */
export const toTagSpelling = (name: string): string => composedLower(name.trim()).replace(/\s+/gu, "_");

/**
 * In lower case as by PostgreSQL's `lower`, to be compared with its results: JavaScript lower-cases a "Σ" at the end of a word
 * differently, and makes two letters of "İ".
 */
export const lowerAsSql = (text: string): string => text.replaceAll("Σ", "σ").replaceAll("İ", "i").toLowerCase();

/** Names of pools, and others that are compared ignoring case, as keys: trimmed, composed, with runs of spaces as one underscore. */
export const nameKey = (name: string): string => lowerAsSql(composed(name.trim()).replace(/\s+/gu, "_"));

/** A source as it is stored: trimmed, and composed unless it is a URL. */
export function toSourceSpelling(source: string): string {
  const trimmed = source.trim();
  return /^https?:\/\//i.test(trimmed) ? trimmed : composed(trimmed);
}

/** User names as keys: composed, compared ignoring case, with spaces as underscores. */
export const normalizeUserName = (name: string): string => userNameKey(name, composed);

/**
 * The keys under which the account with this name may be stored: as typed, for accounts from before names were composed, and composed. Usually both
 * are the same.
 */
export const userNameKeys = (name: string): string[] => [
  ...new Set([userNameKey(name, (typed) => typed), normalizeUserName(name)]),
];

const userNameKey = (name: string, spell: (typed: string) => string): string =>
  lowerAsSql(spell(name.trim()).replace(/\s/gu, "_"));
