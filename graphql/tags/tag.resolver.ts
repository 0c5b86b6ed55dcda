import { TagSearch } from "./tag.inputs.js";
import { Tag } from "./tag.type.js";
import { resolver, list, query } from "../shared/operations.js";
import { int, nested, nullable, string } from "../shared/fields.js";

export const TagResolver = resolver(Tag, {
  tags: list({
    of: Tag,
    description: "Lists tags.",
    search: [TagSearch, "Filters for the list of tags."],
    find: ({ board }, search, page) => board.tags.search(search, page),
  }),

  tag: query({
    returns: nullable(nested(() => Tag, "One tag, by ID or by name.")),
    args: { id: nullable(int("ID of the tag.")), name: nullable(string("Name of the tag.")) },
    resolve: ({ board, loaders }, { id, name }) =>
      typeof id === "number" ? loaders.tag.load(id) : name ? board.tags.byName(name) : null,
  }),
});
