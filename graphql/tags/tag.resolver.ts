import { wordsOf } from "../../src/tagging/tag-name.js";
import { TagCategory } from "../shared/enums.js";
import {
  enumType,
  AlsoNamed,
  boolean,
  int,
  ints,
  listOf,
  nested,
  nullable,
  oneOf,
  string,
  strings,
} from "../shared/fields.js";
import { list, query, resolversOf } from "../shared/operations.js";
import { computed } from "../shared/record-fields.js";
import { Tag } from "./tag.type.js";

const TagOrder = enumType("TagOrder", "Sort orders of tags.", {
  NAME: ["name", "By name."],
  DATE: ["date", "Newest first."],
  COUNT: ["count", "Most used first."],
});

resolversOf(Tag, {
  words: computed(strings("The words of the name, without punctuation."), ({ name }: { name: string }) =>
    wordsOf(name),
  ),

  tags: list({
    of: Tag,
    description: "Lists tags.",
    search: {
      id: ints("Tags with these IDs."),
      nameMatches: string("Pattern of the name; `*` matches anything."),
      name: string("Exact names, separated by commas.", AlsoNamed("name_comma")),
      category: listOf(oneOf(TagCategory, "Tags of these categories.")),
      hideEmpty: boolean("Exclude tags without posts. True by default unless names, a pattern or IDs are given."),
      hasWiki: boolean("Only tags with (true) or without (false) a wiki page."),
      hasArtist: boolean("Only tags with (true) or without (false) an artist."),
      order: oneOf(TagOrder, "The sort order; newest first by default."),
    },
    find: ({ board }, search, page) => board.tags.search(search, page),
  }),

  tag: query({
    returns: nullable(nested(() => Tag, "One tag, by ID or by name.")),
    args: { id: nullable(int("ID of the tag.")), name: nullable(string("Name of the tag.")) },
    resolve: ({ board, loaders }, { id, name }) =>
      typeof id === "number" ? loaders.tag.load(id) : name ? board.tags.byName(name) : null,
  }),
});
