/**
 * Names as keys. A letter with an accent may be written as one code point or as several that look the same: names are stored
 * composed (Unicode NFC), and what users type is composed before it is compared to them.
 */

/** UTF-16 units: longer than any name, even decomposed. */
const LONGEST_COMPOSED = 2_400;
/** More marks on one letter than any language has: Unicode's "stream-safe" texts have 30 at most. */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/** Whether a letter has so many marks that the text is not composed. */
export const hasTooManyMarks = (text: string): boolean => TOO_MANY_MARKS.test(text);

/**
 * A name, or a text to search for in names, as names are stored. Texts that are no names stay as they are: composing takes time that
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
 * User names as keys: composed, compared ignoring case, with spaces as underscores. Lower-cased letter by letter, as PostgreSQL's
 * `lower` does: JavaScript considers the context and lower-cases a "Σ" at the end of a word differently.
 */
export const normalizeUserName = (name: string): string => userNameKey(name, composed);

/**
 * The keys by which an account may be stored that a user names, the most exact first: as typed, for accounts from before names were
 * composed, and composed. Nearly always these are one.
 */
export const userNameKeys = (name: string): string[] => [
  ...new Set([userNameKey(name, (typed) => typed), normalizeUserName(name)]),
];

function userNameKey(name: string, spell: (typed: string) => string): string {
  const trimmed = name.trim();
  // no name is that long, and lower-casing it letter by letter would be slow
  if (trimmed.length > LONGEST) return trimmed;
  if (ASCII.test(trimmed)) return trimmed.toLowerCase(); // the same for these, and quicker on each request of a member
  return Array.from(spell(trimmed).replace(/\s/gu, "_"), lowerLetter).join("");
}

/** Letters, digits and signs of ASCII, without spaces. */
const ASCII = /^[!-~]*$/;
/** Far more UTF-16 units than any name of a user has. */
const LONGEST = 1_000;

/** "İ" becomes two letters in JavaScript, of which PostgreSQL has the first. */
const lowerLetter = (letter: string): string => Array.from(letter.toLowerCase())[0] ?? "";
