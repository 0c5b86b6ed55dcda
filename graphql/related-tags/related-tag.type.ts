import { Bounded, LINKED, RELATED } from "../shared/bounded.js";
import { TagCategory } from "../shared/enums.js";
import { Tag } from "../tags/tag.type.js";
import { int, float, string, oneOf, nested, listOf, nullable, objectType } from "../shared/fields.js";

export const RelatedTag = objectType("RelatedTag", "A tag that is frequent among the posts that match a search.", {
  tag: nested(() => Tag, "The tag."),
  frequency: float("Fraction of the sampled posts that have it, 0 to 1."),
  cosineSimilarity: float("Cosine similarity of the two sets of posts."),
  jaccardSimilarity: float("Jaccard similarity of the two sets of posts."),
  overlapCoefficient: float("Overlap coefficient of the two sets of posts."),
});

export const RelatedTags = objectType("RelatedTags", "Tags related to a search.", {
  query: string("The search in lower case."),
  category: nullable(oneOf(TagCategory, "The requested category.")),
  postCount: int("Number of posts that match the search."),
  tag: nullable(nested(() => Tag, "The tag, if the search is a single tag name.")),
  relatedTags: listOf(nested(() => RelatedTag, "The tags, most frequent first.", Bounded(RELATED))),
  wikiPageTags: listOf(nested(() => Tag, "Tags that the wiki page with this title links to.", Bounded(LINKED))),
});
