/** Enums of pools, as words that the services and the REST interface use. */
import { enumType } from "../shared/fields.js";

export const PoolCategory = enumType("PoolCategory", "Category of a pool.", {
  SERIES: ["series", "A series, read in order; may contain a post more than once."],
  COLLECTION: ["collection", "A collection; each post at most once."],
});

export const PoolOrder = enumType("PoolOrder", "Sort orders of pools.", {
  NAME: ["name", "By name, ignoring case."],
  CREATED_AT: ["created_at", "Newest first."],
  POST_COUNT: ["post_count", "Most posts first."],
  DATE: ["date", "Most recently edited first."],
});
