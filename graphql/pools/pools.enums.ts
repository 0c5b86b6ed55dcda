/** Enums of pools, as words that the services and the REST interface use. */
import { registerEnumType } from "type-graphql";

export const PoolCategory = { SERIES: "series", COLLECTION: "collection" } as const;
registerEnumType(PoolCategory, {
  name: "PoolCategory",
  description: "What kind of pool it is.",
  valuesConfig: {
    SERIES: { description: "Is read in its order, and may show a post twice." },
    COLLECTION: { description: "Belongs together; each post once." },
  },
});

export const PoolOrder = { NAME: "name", CREATED_AT: "created_at", POST_COUNT: "post_count", DATE: "date" } as const;
registerEnumType(PoolOrder, {
  name: "PoolOrder",
  description: "Orders of the pool list.",
  valuesConfig: {
    NAME: { description: "By name, ignoring case." },
    CREATED_AT: { description: "Newest first." },
    POST_COUNT: { description: "Most posts first." },
    DATE: { description: "Latest edit first." },
  },
});
