/** Names of the ratings. */
export type RatingName = "SAFE" | "QUESTIONABLE" | "EXPLICIT";

export const RATING_NAMES: Readonly<Record<RatingName, string>> = {
  SAFE: "Safe",
  QUESTIONABLE: "Questionable",
  EXPLICIT: "Explicit",
};
