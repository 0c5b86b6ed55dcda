/** Words that clients send for enum values, in addition to those in responses. */
import { categoryOfPrefix } from "../../src/tagging/categories.js";
import { normalizeRating, RATINGS } from "../../src/tagging/rating.js";

const VOTES: Record<string, string> = { "1": "up", "-1": "down", up: "up", down: "down" };

/** `score_desc` and the like are the same as `score`. */
const DESCENDING = new Map(["id", "post_id", "score", "updated_at"].map((word) => [`${word}_desc`, word]));

const PAGE_ORDERS = new Map([
  ["time", "date"],
  ["updated_at", "date"],
  ["name", "title"],
]);

/** The meaning of a word by enum; null if it is not one of its values. */
export const WORDS: Record<string, (word: string) => unknown> = {
  CommentOrder: (word) => DESCENDING.get(word),
  PoolOrder: (word) => (word === "updated_at" ? "date" : null),
  Rating: normalizeRating,
  /** by name as well as by number; the longer and shorter names are those of tag prefixes */
  TagCategory: categoryOfPrefix,
  VoteScore: (word) => (Object.hasOwn(VOTES, word) ? VOTES[word] : null),
  WikiPageOrder: (word) => PAGE_ORDERS.get(word),
};

/** The words that an error suggests, where they are others than those of responses. */
export const CHOICES: Record<string, readonly string[]> = { Rating: Object.values(RATINGS) };

export const TRUE_WORDS = new Set(["true", "t", "yes", "y", "on", "1"]);
export const FALSE_WORDS = new Set(["false", "f", "no", "n", "off", "0"]);
