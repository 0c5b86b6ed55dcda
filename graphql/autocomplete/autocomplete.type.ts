import { TagCategory } from "../shared/enums.js";
import {
  boolean,
  int,
  string,
  oneOf,
  nested,
  listOf,
  allNullable,
  objectType,
  enumType,
  optionalInput,
} from "../shared/fields.js";

export const AutocompleteType = enumType("AutocompleteType", "The text entered so far.", {
  TAG_QUERY: ["tag_query", "A search term: a tag, a meta-tag or a meta-tag's value."],
  TAG: ["tag", "A tag to give to a post, or the name behind `pool:`, `newpool:` or `artist:`."],
  USER: ["user", "The name of a user."],
  POOL: ["pool", "The name of a pool."],
  ARTIST: ["artist", "The name of an artist."],
  WIKI_PAGE: ["wiki_page", "The title of a wiki page."],
});

export const AutocompleteSearch = optionalInput("AutocompleteSearch", "The text entered so far.", {
  query: string("The prefix to complete."),
  nameMatches: string("Prefix of a tag; used if `query` is absent."),
  type: oneOf(AutocompleteType, "What kind of value to complete; a search term by default."),
  corrects: boolean("If no tag has this prefix, suggest similarly spelled tags, with type `tag-correction`."),
});
export type AutocompleteSearch = InstanceType<typeof AutocompleteSearch>;

export const Suggestion = objectType("Suggestion", "A completion suggestion.", {
  type: string("`tag`, `tag-alias`, `tag-correction`, `metatag`, `user`, `pool`, `artist` or `wiki-page`."),
  label: string("Text to display."),
  value: string("Value to insert."),
  ...allNullable({
    category: oneOf(TagCategory, "Category of the tag."),
    postCount: int("Number of posts of the tag or pool."),
    antecedent: string("The alias that has the prefix, if the value is its consequent."),
  }),
});

export const Suggestions = objectType("Suggestions", "Suggestions, most likely first.", {
  nodes: listOf(nested(() => Suggestion, "The suggestions.")),
});
