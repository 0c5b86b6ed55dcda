import { TagCategory } from "../shared/enums.js";
import { Costing, float, int, listOf, nested, nullable, objectType, oneOf, string } from "../shared/fields.js";
import { query, resolversOf } from "../shared/operations.js";
import { Bounded, LINKED, RELATED } from "../shared/bounded.js";
import { Tag } from "../tags/tag.type.js";

const RelatedTag = objectType("RelatedTag", "A tag that is frequent among the posts that match a search.", {
  tag: nested(() => Tag, "The tag."),
  frequency: float("Fraction of the sampled posts that have it, 0 to 1."),
  cosineSimilarity: float("Cosine similarity of the two sets of posts."),
  jaccardSimilarity: float("Jaccard similarity of the two sets of posts."),
  overlapCoefficient: float("Overlap coefficient of the two sets of posts."),
});

const RelatedTags = objectType("RelatedTags", "Tags related to a search.", {
  query: string("The search in lower case."),
  category: nullable(oneOf(TagCategory, "The requested category.")),
  postCount: int("Number of posts that match the search."),
  tag: nullable(nested(() => Tag, "The tag, if the search is a single tag name.")),
  relatedTags: listOf(nested(() => RelatedTag, "The tags, most frequent first.", Bounded(RELATED))),
  wikiPageTags: listOf(nested(() => Tag, "Tags that the wiki page with this title links to.", Bounded(LINKED))),
});

/** Cost of reading some hundred posts. */
const SAMPLED = 400;

resolversOf(RelatedTags, {
  relatedTags: query({
    returns: nested(() => RelatedTags, "Tags that are frequent among the posts that match a search.", Costing(SAMPLED)),
    args: {
      query: string("A search; or a pattern of tag names with `*`."),
      category: nullable(oneOf(TagCategory, "Only tags of this category.")),
    },
    resolve: (context, { query: search, category = null }) => context.board.relatedTags.find(context, search, category),
  }),
});
