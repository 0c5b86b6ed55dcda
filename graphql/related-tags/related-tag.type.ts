import { Bounded, LINKED, RELATED } from "../shared/bounded.js";
import { TagCategory } from "../shared/enums.js";
import { Tag } from "../tags/tag.type.js";
import { int, float, string, oneOf, nested, listOf, nullable, objectType } from "../shared/fields.js";

export const RelatedTag = objectType("RelatedTag", "A tag that is often on the posts that a search finds.", {
  tag: nested(() => Tag, "The tag."),
  frequency: float("Share of the sampled posts that have it, 0 to 1."),
  cosineSimilarity: float("Cosine similarity of the two sets of posts."),
  jaccardSimilarity: float("Jaccard similarity of the two sets of posts."),
  overlapCoefficient: float("Overlap coefficient of the two sets of posts."),
});

export const RelatedTags = objectType("RelatedTags", "Tags that go together with a search.", {
  query: string("The search, in lower case."),
  category: nullable(oneOf(TagCategory, "The category that was asked for.")),
  postCount: int("Posts that the search finds."),
  tag: nullable(nested(() => Tag, "The tag, when the search is the name of one.")),
  relatedTags: listOf(nested(() => RelatedTag, "The tags, most frequent first.", Bounded(RELATED))),
  wikiPageTags: listOf(nested(() => Tag, "Tags that the wiki page of this title links to.", Bounded(LINKED))),
});
