import { costOf, lengthOf, lengthText, SUGGESTIONS } from "../shared/bounded.js";
import { TagCategory } from "../shared/enums.js";
import {
  allNullable,
  boolean,
  Costing,
  enumType,
  int,
  listOf,
  nested,
  nullable,
  objectType,
  oneOf,
  optionalInput,
  string,
} from "../shared/fields.js";
import { query, resolversOf } from "../shared/operations.js";

const AutocompleteType = enumType("AutocompleteType", "The text entered so far.", {
  TAG_QUERY: ["tag_query", "A search term: a tag, a meta-tag or a meta-tag's value."],
  TAG: ["tag", "A tag to give to a post, or the name behind `pool:`, `newpool:` or `artist:`."],
  USER: ["user", "The name of a user."],
  POOL: ["pool", "The name of a pool."],
  ARTIST: ["artist", "The name of an artist."],
  WIKI_PAGE: ["wiki_page", "The title of a wiki page."],
});

const AutocompleteSearch = optionalInput("AutocompleteSearch", "The text entered so far.", {
  query: string("The prefix to complete."),
  nameMatches: string("Prefix of a tag; used if `query` is absent."),
  type: oneOf(AutocompleteType, "What kind of value to complete; a search term by default."),
  corrects: boolean("If no tag has this prefix, suggest similarly spelled tags, with type `tag-correction`."),
});

const Suggestion = objectType("Suggestion", "A completion suggestion.", {
  type: string("`tag`, `tag-alias`, `tag-correction`, `metatag`, `user`, `pool`, `artist` or `wiki-page`."),
  label: string("Text to display."),
  value: string("Value to insert."),
  ...allNullable({
    category: oneOf(TagCategory, "Category of the tag."),
    postCount: int("Number of posts of the tag or pool."),
    antecedent: string("The alias that has the prefix, if the value is its consequent."),
  }),
});

const Suggestions = objectType("Suggestions", "Suggestions, most likely first.", {
  nodes: listOf(nested(() => Suggestion, "The suggestions.")),
});

resolversOf(Suggestions, {
  autocomplete: query({
    returns: nested(() => Suggestions, "Suggestions to complete what a user is typing.", Costing(costOf(SUGGESTIONS))),
    args: {
      search: nullable(nested(() => AutocompleteSearch, "The text entered so far.")),
      first: nullable(int(lengthText(SUGGESTIONS))),
    },
    resolve: async ({ board }, { search, first }) => {
      const text = search?.query ?? search?.nameMatches ?? "";
      const type = search?.type ?? (typeof search?.query === "string" ? "tag_query" : "tag");
      const limit = lengthOf(SUGGESTIONS, first);
      return { nodes: await board.autocomplete.find(text, type, limit, search?.corrects ?? false) };
    },
  }),
});
