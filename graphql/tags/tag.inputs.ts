import { TagCategory, TagOrder } from "../shared/enums.js";
import { AlsoNamed } from "../shared/lists.js";
import { string, boolean, oneOf, listOf, ints, optionalInput } from "../shared/fields.js";

export const TagSearch = optionalInput("TagSearch", "Filters for the list of tags.", {
  id: ints("Tags with these IDs."),
  nameMatches: string("Pattern of the name; `*` matches anything."),
  name: string("Exact names, separated by commas.", AlsoNamed("name_comma")),
  category: listOf(oneOf(TagCategory, "Tags of these categories.")),
  hideEmpty: boolean("Exclude tags without posts. True by default unless names, a pattern or IDs are given."),
  hasWiki: boolean("Only tags with (true) or without (false) a wiki page."),
  hasArtist: boolean("Only tags with (true) or without (false) an artist."),
  order: oneOf(TagOrder, "The sort order; newest first by default."),
});
