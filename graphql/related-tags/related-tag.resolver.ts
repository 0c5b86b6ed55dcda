import { TagCategory } from "../shared/enums.js";
import { Costing, nested, nullable, oneOf, string } from "../shared/fields.js";
import { query, resolver } from "../shared/operations.js";
import { RelatedTags } from "./related-tag.type.js";

/** Cost of reading some hundred posts. */
const SAMPLED = 400;

export const RelatedTagResolver = resolver(RelatedTags, {
  relatedTags: query({
    returns: nested(
      () => RelatedTags,
      "Tags that are frequent among the posts that match a search.",
      Costing(({ childComplexity }) => SAMPLED + childComplexity),
    ),
    args: {
      query: string("A search; or a pattern of tag names with `*`."),
      category: nullable(oneOf(TagCategory, "Only tags of this category.")),
    },
    resolve: (context, { query: search, category = null }) => context.board.relatedTags.find(context, search, category),
  }),
});
