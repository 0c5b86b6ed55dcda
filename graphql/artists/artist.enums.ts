import { enumType } from "../shared/fields.js";

export const ArtistOrder = enumType("ArtistOrder", "Sort orders of artists.", {
  NAME: ["name", "By name."],
  DATE: ["date", "Newest first."],
  UPDATED_AT: ["updated_at", "Most recently updated first."],
  POST_COUNT: ["post_count", "Most posts first."],
});

export const ArtistVersionOrder = enumType("ArtistVersionOrder", "Sort orders of artist versions.", {
  NAME: ["name", "By name, newest first."],
  DATE: ["date", "Newest first."],
});
