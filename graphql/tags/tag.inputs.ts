import { TagCategory, TagOrder } from "../shared/enums.js";
import { AlsoNamed } from "../shared/lists.js";
import { string, boolean, oneOf, listOf, ints, allNullable, inputType } from "../shared/fields.js";

export const TagSearch = inputType(
  "TagSearch",
  "Which tags to list.",
  allNullable({
    id: ints("Tags of these numbers."),
    nameMatches: string("Pattern of the name; `*` stands for anything."),
    name: string("Exact names, separated by commas.", AlsoNamed("name_comma")),
    category: listOf(oneOf(TagCategory, "Tags of these categories.")),
    hideEmpty: boolean(
      "Leave out tags without posts. The default is yes, unless names, a pattern or numbers are given.",
    ),
    hasWiki: boolean("Tags that have (or lack) a wiki page."),
    hasArtist: boolean("Tags that have (or lack) an artist."),
    order: oneOf(TagOrder, "The order; newest first by default."),
  }),
);
