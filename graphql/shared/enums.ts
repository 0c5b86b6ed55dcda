/**
 * Enums. Clients see GraphQL's spelling; the services and the REST interface use their own words:
 * `SAFE` is `s`.
 */
import { enumType } from "./fields.js";

export const Rating = enumType("Rating", "Rating of a post.", {
  SAFE: ["s", "Safe."],
  QUESTIONABLE: ["q", "Questionable."],
  EXPLICIT: ["e", "Explicit."],
});

export const VoteScore = enumType("VoteScore", "Direction of a vote.", {
  UP: ["up", "Upvote."],
  DOWN: ["down", "Downvote."],
});
/** The vote for a score in the database. */
export const voteOf = (score: number | null) => (score === null ? null : score > 0 ? VoteScore.UP : VoteScore.DOWN);

export const TagCategory = enumType("TagCategory", "Category of a tag.", {
  GENERAL: [0, "General (0)."],
  ARTIST: [1, "Artist (1)."],
  COPYRIGHT: [3, "Copyright: the series or franchise (3)."],
  CHARACTER: [4, "Character (4)."],
  META: [5, "Meta: about the file itself (5)."],
});
