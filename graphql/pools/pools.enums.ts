/** Enums of pools, as words that the services and the REST interface use. */
import { registerEnumType } from "type-graphql";

export const PoolCategory = { SERIES: "series", COLLECTION: "collection" } as const;
registerEnumType(PoolCategory, {
  name: "PoolCategory",
  description: "Category of a pool.",
  valuesConfig: {
    SERIES: { description: "A series, read in order; may contain a post more than once." },
    COLLECTION: { description: "A collection; each post at most once." },
  },
});

export const PoolOrder = { NAME: "name", CREATED_AT: "created_at", POST_COUNT: "post_count", DATE: "date" } as const;
registerEnumType(PoolOrder, {
  name: "PoolOrder",
  description: "Sort orders of pools.",
  valuesConfig: {
    NAME: { description: "By name, ignoring case." },
    CREATED_AT: { description: "Newest first." },
    POST_COUNT: { description: "Most posts first." },
    DATE: { description: "Most recently edited first." },
  },
});
