import { registerEnumType } from "type-graphql";
import { TagCategory } from "../shared/enums.js";
import { boolean, int, string, oneOf, nested, listOf, allNullable, objectType, inputType } from "../shared/fields.js";

export const AutocompleteType = {
  TAG_QUERY: "tag_query",
  TAG: "tag",
  USER: "user",
  POOL: "pool",
  ARTIST: "artist",
  WIKI_PAGE: "wiki_page",
} as const;
registerEnumType(AutocompleteType, {
  name: "AutocompleteType",
  description: "What is being typed.",
  valuesConfig: {
    TAG_QUERY: { description: "A word of a search: a tag, a meta-tag or its value." },
    TAG: { description: "A tag." },
    USER: { description: "The name of a user." },
    POOL: { description: "The name of a pool." },
    ARTIST: { description: "The name of an artist." },
    WIKI_PAGE: { description: "The title of a wiki page." },
  },
});

export const AutocompleteSearch = inputType(
  "AutocompleteSearch",
  "What is being typed.",
  allNullable({
    query: string("The beginning of a word."),
    nameMatches: string("The beginning of a tag, where `query` is not given."),
    type: oneOf(AutocompleteType, "What is being typed; a word of a search by default."),
    corrects: boolean("Where nothing begins so, suggest tags of nearly these letters, as `tag-correction`."),
  }),
);
export type AutocompleteSearch = InstanceType<typeof AutocompleteSearch>;

export const Suggestion = objectType("Suggestion", "Something that a user may be about to type.", {
  type: string("`tag`, `tag-alias`, `tag-correction`, `metatag`, `user`, `pool`, `artist` or `wiki-page`."),
  label: string("What to show."),
  value: string("What to put into the field."),
  ...allNullable({
    category: oneOf(TagCategory, "Category of a tag."),
    postCount: int("Posts of a tag or pool."),
    antecedent: string("The alias that begins like this, when the value is what it stands for."),
  }),
});

export const Suggestions = objectType("Suggestions", "Suggestions, the likeliest first.", {
  nodes: listOf(nested(() => Suggestion, "The suggestions.")),
});
