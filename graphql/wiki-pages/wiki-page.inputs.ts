import { SeparatedByBlanks } from "../shared/lists.js";
import { WikiPageOrder } from "./wiki-page.enums.js";
import { int, string, boolean, oneOf, ints, strings, allNullable, inputType, optionalInput } from "../shared/fields.js";

export const WikiPageSearch = optionalInput("WikiPageSearch", "Filters for the list of wiki pages.", {
  id: ints("Pages with these IDs."),
  title: string("Pages with this title; `*` matches anything."),
  creatorId: ints("Pages created by these users."),
  creatorName: string("Pages created by the user with this name."),
  bodyMatches: string("Words of the title and text; with `*`, a pattern that matches both joined by a space."),
  otherNamesMatch: string("Pages with one of these other names, separated by spaces; `*` matches anything."),
  otherNamesPresent: boolean("Only pages with (true) or without (false) other names."),
  hideDeleted: boolean("Whether to exclude deleted pages."),
  isDeleted: boolean("Only deleted (true) or active (false) pages."),
  isLocked: boolean("Only locked (true) or unlocked (false) pages."),
  order: oneOf(WikiPageOrder, "The sort order; `DATE` by default."),
});

export const CreateWikiPageInput = inputType("CreateWikiPageInput", "A new wiki page.", {
  title: string("The title, which must be unique."),
  body: string("The text."),
  ...allNullable({
    otherNames: strings("Other names.", SeparatedByBlanks()),
    isLocked: boolean("Whether it is locked; Builders and above."),
  }),
});

export const UpdateWikiPageInput = optionalInput(
  "UpdateWikiPageInput",
  "An edit of a wiki page, given by ID or title. Absent fields do not change.",
  {
    id: int("ID of the page."),
    currentTitle: string("Title of the page before the edit, in the place of `id`."),
    title: string("A new title."),
    body: string("The text."),
    otherNames: strings("Other names; null removes them all.", SeparatedByBlanks()),
    isLocked: boolean("Lock or unlock it; Builders and above."),
    isDeleted: boolean("Delete or restore it; Builders and above."),
  },
);
