/** Words that clients send for enum values beside the ones that the board answers with. */
import { normalizeRating } from "../../src/tags/rating.js";

const VOTES: Record<string, string> = { "1": "up", "-1": "down", up: "up", down: "down" };

/** Enum's name -> what a word means; null for none of its values. */
export const WORDS: Record<string, (word: string) => unknown> = {
  Rating: normalizeRating,
  VoteScore: (word) => (Object.hasOwn(VOTES, word) ? VOTES[word] : null),
};

export const TRUE_WORDS = new Set(["true", "t", "yes", "y", "on", "1"]);
export const FALSE_WORDS = new Set(["false", "f", "no", "n", "off", "0"]);
