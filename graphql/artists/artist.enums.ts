import { registerEnumType } from "type-graphql";

export const ArtistOrder = {
  NAME: "name",
  DATE: "date",
  UPDATED_AT: "updated_at",
  POST_COUNT: "post_count",
} as const;
registerEnumType(ArtistOrder, {
  name: "ArtistOrder",
  description: "Sort orders of artists.",
  valuesConfig: {
    NAME: { description: "By name." },
    DATE: { description: "Newest first." },
    UPDATED_AT: { description: "Most recently updated first." },
    POST_COUNT: { description: "Most posts first." },
  },
});

export const ArtistVersionOrder = { NAME: "name", DATE: "date" } as const;
registerEnumType(ArtistVersionOrder, {
  name: "ArtistVersionOrder",
  description: "Sort orders of artist versions.",
  valuesConfig: {
    NAME: { description: "By name, newest first." },
    DATE: { description: "Newest first." },
  },
});
