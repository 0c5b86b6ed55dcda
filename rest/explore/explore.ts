import { type Json, resource } from "../adapter/row.js";
import { described } from "../adapter/views.js";
import { objectOf, type Property } from "../openapi/schema.js";
import { postFields, viewPost } from "../posts/posts.js";
import { tagFields } from "../tags/tags.js";

const RELATED = `
  query RelatedTagShow($query: String!, $category: TagCategory) {
    relatedTags(query: $query, category: $category) {
      query category post_count tag { ${tagFields} }
      related_tags(first: 50) {
        tag { ${tagFields} } frequency cosine_similarity jaccard_similarity overlap_coefficient
      }
      wiki_page_tags(first: 1000) { ${tagFields} }
    }
  }`;
const COUNTS = "query PostCountsShow($tags: String) { postCounts(tags: $tags) { posts is_estimate } }";
const RANDOM = `query PostsRandom($tags: String) { randomPost(tags: $tags) { ${postFields} } }`;
const POPULAR = `
  query PostsPopular($date: String, $scale: PopularScale, $limit: Int, $page: String) {
    popularPosts(date: $date, scale: $scale, first: $limit, page: $page) { nodes { ${postFields} } }
  }`;

const suggesting = (name: string, fields: string): string => `
  query ${name}($search: AutocompleteSearch, $limit: Int) {
    autocomplete(search: $search, first: $limit) { nodes { ${fields} } }
  }`;
const SUGGESTIONS = suggesting("AutocompleteIndex", "type label value category post_count antecedent");
const TAGS = suggesting("TagsAutocomplete", "name: value post_count category antecedent_name: antecedent");

const pair = (tag: Json): unknown[] => [tag.name, tag.category];

/** Beside the objects, the tags as pairs of name and category, which older clients read. */
const viewRelated = described(
  (related) => ({
    ...related,
    tags: (related.related_tags as { tag: Json }[]).map(({ tag }) => pair(tag)),
    wiki_page_tags: (related.wiki_page_tags as Json[]).map(pair),
  }),
  (properties) => ({
    ...properties,
    tags: pairs("tags", "The related tags."),
    wiki_page_tags: pairs("wiki-page-tags", "The tags that the wiki page names."),
  }),
);

/** Name and category of each tag. */
const pairs = (element: string, description: string): Property => ({
  type: "array",
  description: `${description} Each as a list of its name and its category.`,
  items: { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
  xml: { name: element, wrapped: true },
});

/** An exact number, as clients know it, says nothing more. */
const viewCounts = described(
  ({ is_estimate, ...counts }) => ({ counts: is_estimate ? { ...counts, is_estimate } : counts }),
  ({ is_estimate, ...properties }) => {
    const estimate = is_estimate && { ...is_estimate, optional: true };
    return { counts: objectOf({ ...properties, ...(estimate && { is_estimate: estimate }) }, "How many there are.") };
  },
);

export const explore = [
  ...resource("related_tag", {}, [{ method: "GET", path: "/related_tag", document: RELATED, view: viewRelated }]),
  ...resource("count", {}, [{ method: "GET", path: "/counts/posts", document: COUNTS, view: viewCounts }]),
  ...resource("post", { view: viewPost }, [
    { method: "GET", path: "/posts/random", document: RANDOM },
    { method: "GET", path: "/explore/posts/popular", document: POPULAR },
  ]),
  ...resource("suggestion", {}, [{ method: "GET", path: "/autocomplete", document: SUGGESTIONS }]),
  ...resource("tag", {}, [{ method: "GET", path: "/tags/autocomplete", document: TAGS }]),
];
