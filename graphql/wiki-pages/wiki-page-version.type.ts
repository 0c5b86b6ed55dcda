import { int, string, boolean, date, ints, strings, allNullable, objectType, inputType } from "../shared/fields.js";

export const WikiPageVersion = objectType("WikiPageVersion", "A state that a wiki page had.", {
  id: int("Number of the version; pass it to `revertWikiPage`."),
  wikiPageId: int("Number of the page."),
  version: int("1 for the first state, then one more with each edit of the page."),
  updaterId: int("Who made the edit."),
  updaterName: string("Name of who made the edit."),
  title: string("The title."),
  body: string("The text."),
  otherNames: strings("The other names."),
  isLocked: boolean("Whether it was locked."),
  isDeleted: boolean("Whether it was deleted."),
  createdAt: date("When the edit was made."),
  updatedAt: date("When the version last changed; later than `createdAt` only where edits are merged."),
});

export const WikiPageVersionSearch = inputType(
  "WikiPageVersionSearch",
  "Which versions of wiki pages to list.",
  allNullable({
    id: ints("Versions of these numbers."),
    wikiPageId: ints("Versions of these pages."),
    updaterId: ints("Edits by these users."),
    updaterName: string("Edits by the user of this name."),
  }),
);
