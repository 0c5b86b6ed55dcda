/**
 * User names as keys: compared without case, blanks are underscores. Lower-cased letter by letter, as PostgreSQL's
 * `lower` does: JavaScript looks at the neighbours and makes of a "Σ" at the end of a word another letter than within it.
 */
export function normalizeUserName(name: string): string {
  const trimmed = name.trim();
  // no name is that long, and lower-casing it letter by letter would be slow
  if (trimmed.length > LONGEST) return trimmed;
  return Array.from(trimmed.replace(/\s/gu, "_"), lowerLetter).join("");
}

/** Far more UTF-16 units than any name of a user has. */
const LONGEST = 1_000;

/** "İ" becomes two letters in JavaScript, of which PostgreSQL gives the first. */
const lowerLetter = (letter: string): string => Array.from(letter.toLowerCase())[0] ?? "";
