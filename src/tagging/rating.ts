/** Ratings: stored as one letter, as in REST responses; input may be the letter or the word, in any case. */
export const RATINGS = { s: "safe", q: "questionable", e: "explicit" } as const;
export type Rating = keyof typeof RATINGS;

/** The ratings of older and newer Danbooru versions; newer ones divide `safe` into general and sensitive. */
const WORDS = new Map<string, Rating>([
  ...["s", "safe", "g", "general", "sensitive"].map((word) => [word, "s"] as const),
  ...["q", "questionable"].map((word) => [word, "q"] as const),
  ...["e", "explicit"].map((word) => [word, "e"] as const),
]);

/** The letter of a rating given as letter or word; null if it is neither. */
export const normalizeRating = (text: string): Rating | null => WORDS.get(text.trim().toLowerCase()) ?? null;
