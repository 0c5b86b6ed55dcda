import * as documents from "../__generated__/documents.js";
import { type Json, resource } from "../adapter/row.js";
import { described } from "../adapter/views.js";
import { objectOf, type Property } from "../openapi/schema.js";
import { viewPost } from "../posts/posts.js";

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
  ...resource("related_tag", {}, [
    { method: "GET", path: "/related_tag", document: documents.RelatedTagShowDocument, view: viewRelated },
  ]),
  ...resource("count", {}, [
    { method: "GET", path: "/counts/posts", document: documents.PostCountsShowDocument, view: viewCounts },
  ]),
  ...resource("post", {}, [
    { method: "GET", path: "/posts/random", document: documents.PostsRandomDocument, view: viewPost },
    { method: "GET", path: "/explore/posts/popular", document: documents.PostsPopularDocument, view: viewPost },
  ]),
  ...resource("suggestion", {}, [
    { method: "GET", path: "/autocomplete", document: documents.AutocompleteIndexDocument },
  ]),
  ...resource("tag", {}, [{ method: "GET", path: "/tags/autocomplete", document: documents.TagsAutocompleteDocument }]),
];
