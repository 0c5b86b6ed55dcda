import { registerEnumType } from "type-graphql";

export const ArtistOrder = {
  NAME: "name",
  DATE: "date",
  UPDATED_AT: "updated_at",
  POST_COUNT: "post_count",
} as const;
registerEnumType(ArtistOrder, {
  name: "ArtistOrder",
  description: "Orders of the artist list.",
  valuesConfig: {
    NAME: { description: "By name." },
    DATE: { description: "Newest first." },
    UPDATED_AT: { description: "Last changed first." },
    POST_COUNT: { description: "Those with the most posts first." },
  },
});

export const ArtistVersionOrder = { NAME: "name", DATE: "date" } as const;
registerEnumType(ArtistVersionOrder, {
  name: "ArtistVersionOrder",
  description: "Orders of the list of artist versions.",
  valuesConfig: {
    NAME: { description: "By name, newest first." },
    DATE: { description: "Newest first." },
  },
});
