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

export const TagOrder = enumType("TagOrder", "Sort orders of tags.", {
  NAME: ["name", "By name."],
  DATE: ["date", "Newest first."],
  COUNT: ["count", "Most used first."],
});

export const UserOrder = enumType("UserOrder", "Sort orders of users.", {
  NAME: ["name", "By name."],
  POST_UPLOAD_COUNT: ["post_upload_count", "Most uploads first."],
  NOTE_COUNT: ["note_count", "Most note edits first."],
  POST_UPDATE_COUNT: ["post_update_count", "Most post edits first."],
  DATE: ["date", "Newest first."],
});
