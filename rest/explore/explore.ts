import {
  AutocompleteIndexDocument,
  PostCountsShowDocument,
  PostsPopularDocument,
  PostsRandomDocument,
  RelatedTagShowDocument,
  TagsAutocompleteDocument,
} from "../__generated__/documents.js";
import { type Json, resource } from "../adapter/row.js";
import { viewPost } from "../posts/posts.js";

const pair = (tag: Json): unknown[] => [tag.name, tag.category];

/** Beside the objects, the tags as pairs of name and category, which older clients read. */
const viewRelated = (related: Json): Json => ({
  ...related,
  tags: (related.related_tags as { tag: Json }[]).map(({ tag }) => pair(tag)),
  wiki_page_tags: (related.wiki_page_tags as Json[]).map(pair),
});

export const explore = [
  ...resource("related_tag", [
    { method: "GET", path: "/related_tag", document: RelatedTagShowDocument, view: viewRelated },
  ]),
  ...resource("count", [
    { method: "GET", path: "/counts/posts", document: PostCountsShowDocument, view: (counts) => ({ counts }) },
  ]),
  ...resource("post", [
    { method: "GET", path: "/posts/random", document: PostsRandomDocument, view: viewPost },
    { method: "GET", path: "/explore/posts/popular", document: PostsPopularDocument, view: viewPost },
  ]),
  ...resource("suggestion", [{ method: "GET", path: "/autocomplete", document: AutocompleteIndexDocument }]),
  ...resource("tag", [{ method: "GET", path: "/tags/autocomplete", document: TagsAutocompleteDocument }]),
];
