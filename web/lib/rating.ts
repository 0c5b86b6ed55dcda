/** How explicit a post is, as people are told. */
export type RatingName = "SAFE" | "QUESTIONABLE" | "EXPLICIT";

export const RATING_NAMES: Readonly<Record<RatingName, string>> = {
  SAFE: "Safe",
  QUESTIONABLE: "Questionable",
  EXPLICIT: "Explicit",
};
