/** Ratings: stored as one letter, as in REST responses; input may be the letter or the word, in any case. */
export const RATINGS = { s: "safe", q: "questionable", e: "explicit" } as const;
export type Rating = keyof typeof RATINGS;

/** The ratings of older and newer Danbooru versions; newer ones divide `safe` into general and sensitive. */
const WORDS: Record<string, Rating> = {
  s: "s",
  safe: "s",
  g: "s",
  general: "s",
  sensitive: "s",
  q: "q",
  questionable: "q",
  e: "e",
  explicit: "e",
};

/** The letter of a rating given as letter or word; null if it is neither. */
export function normalizeRating(text: string): Rating | null {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(WORDS, word) ? (WORDS[word] ?? null) : null;
}
