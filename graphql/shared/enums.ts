/**
 * Enums. Outside they are in GraphQL's spelling, inside they are the words that the services and the REST interface use:
 * `SAFE` is `s`.
 */
import { registerEnumType } from "type-graphql";

export const Rating = { SAFE: "s", QUESTIONABLE: "q", EXPLICIT: "e" } as const;
registerEnumType(Rating, {
  name: "Rating",
  description: "Rating of a post.",
  valuesConfig: {
    SAFE: { description: "Safe." },
    QUESTIONABLE: { description: "Questionable." },
    EXPLICIT: { description: "Explicit." },
  },
});

export const VoteScore = { UP: "up", DOWN: "down" } as const;
registerEnumType(VoteScore, {
  name: "VoteScore",
  description: "Direction of a vote.",
  valuesConfig: { UP: { description: "Upvote." }, DOWN: { description: "Downvote." } },
});
/** The vote that a number of the database says. */
export const voteOf = (score: number | null) => (score === null ? null : score > 0 ? VoteScore.UP : VoteScore.DOWN);

export const TagCategory = { GENERAL: 0, ARTIST: 1, COPYRIGHT: 3, CHARACTER: 4, META: 5 } as const;
registerEnumType(TagCategory, {
  name: "TagCategory",
  description: "Category of a tag.",
  valuesConfig: {
    GENERAL: { description: "General (0)." },
    ARTIST: { description: "Artist (1)." },
    COPYRIGHT: { description: "Copyright: the series or franchise (3)." },
    CHARACTER: { description: "Character (4)." },
    META: { description: "Meta: about the file itself (5)." },
  },
});

export const TagOrder = { NAME: "name", DATE: "date", COUNT: "count" } as const;
registerEnumType(TagOrder, {
  name: "TagOrder",
  description: "Sort orders of tags.",
  valuesConfig: {
    NAME: { description: "By name." },
    DATE: { description: "Newest first." },
    COUNT: { description: "Most used first." },
  },
});

export const UserOrder = {
  NAME: "name",
  POST_UPLOAD_COUNT: "post_upload_count",
  NOTE_COUNT: "note_count",
  POST_UPDATE_COUNT: "post_update_count",
  DATE: "date",
} as const;
registerEnumType(UserOrder, {
  name: "UserOrder",
  description: "Sort orders of users.",
  valuesConfig: {
    NAME: { description: "By name." },
    POST_UPLOAD_COUNT: { description: "Most uploads first." },
    NOTE_COUNT: { description: "Most note edits first." },
    POST_UPDATE_COUNT: { description: "Most post edits first." },
    DATE: { description: "Newest first." },
  },
});
