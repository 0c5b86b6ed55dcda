/** Ratings are stored and answered by REST as one letter; they are read as letter or word in any case. */
export const RATINGS = { s: "safe", q: "questionable", e: "explicit" } as const;
export type Rating = keyof typeof RATINGS;

/** Words of the older and the newer sites of this kind; the newer ones divide `safe` into general and sensitive. */
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

/** The letter of a rating given as letter or word; null when it is none. */
export function normalizeRating(text: string): Rating | null {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(WORDS, word) ? (WORDS[word] ?? null) : null;
}
