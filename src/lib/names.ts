/** Names as keys. */

/** The stored form of tag names: trimmed, in lower case, with runs of spaces as one underscore. */
export const toTagSpelling = (name: string): string => name.trim().toLowerCase().replace(/\s+/gu, "_");

/**
 * User names as keys: compared ignoring case, with spaces as underscores. Lower-cased letter by letter, as PostgreSQL's
 * `lower` does: JavaScript considers the context and lower-cases a "Σ" at the end of a word differently.
 */
export function normalizeUserName(name: string): string {
  const trimmed = name.trim();
  // no name is that long, and lower-casing it letter by letter would be slow
  if (trimmed.length > LONGEST) return trimmed;
  if (ASCII.test(trimmed)) return trimmed.toLowerCase(); // the same for these, and quicker on each request of a member
  return Array.from(trimmed.replace(/\s/gu, "_"), lowerLetter).join("");
}

/** Letters, digits and signs of ASCII, without spaces. */
const ASCII = /^[!-~]*$/;
/** Far more UTF-16 units than any name of a user has. */
const LONGEST = 1_000;

/** "İ" becomes two letters in JavaScript, of which PostgreSQL has the first. */
const lowerLetter = (letter: string): string => Array.from(letter.toLowerCase())[0] ?? "";
