/**
 * User names as keys: compared without case, blanks are underscores. Lower-cased letter by letter, as PostgreSQL's
 * `lower` does: JavaScript looks at the neighbours and makes of a "Σ" at the end of a word another letter than within it.
 */
export const normalizeUserName = (name: string): string =>
  Array.from(name.trim().replace(/\s/gu, "_"), lowerLetter).join("");

/** "İ" becomes two letters in JavaScript, of which PostgreSQL gives the first. */
const lowerLetter = (letter: string): string => Array.from(letter.toLowerCase())[0] ?? "";
