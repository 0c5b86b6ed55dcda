import { SeparatedByBlanks } from "../shared/lists.js";
import { WikiPageOrder } from "./wiki-page.enums.js";
import { int, string, boolean, oneOf, ints, strings, allNullable, inputType, idInput } from "../shared/fields.js";

export const WikiPageSearch = inputType(
  "WikiPageSearch",
  "Which wiki pages to list.",
  allNullable({
    id: ints("Pages of these numbers."),
    title: string("Pages of this title, a pattern with `*`."),
    creatorId: ints("Pages made by these users."),
    creatorName: string("Pages made by the user of this name."),
    bodyMatches: string("Words of title and text; with `*` a pattern of both, joined by a blank."),
    otherNamesMatch: string(
      "Pages with one of these other names, which are separated by blanks; with `*` they are patterns.",
    ),
    otherNamesPresent: boolean("Pages with or without other names."),
    hideDeleted: boolean("True leaves deleted pages out."),
    isDeleted: boolean("Pages that are deleted, or that are not."),
    isLocked: boolean("Pages that are locked, or that are not."),
    order: oneOf(WikiPageOrder, "The order: by `DATE` unless said otherwise."),
  }),
);

export const CreateWikiPageInput = inputType("CreateWikiPageInput", "A new wiki page.", {
  title: string("Its title, which no other page has."),
  body: string("The text."),
  ...allNullable({
    otherNames: strings("What else the same thing is called.", SeparatedByBlanks()),
    isLocked: boolean("Whether it is locked, which takes a Builder."),
  }),
});

export const UpdateWikiPageInput = inputType(
  "UpdateWikiPageInput",
  "An edit of a wiki page, named by its number or its title. What is absent stays as it is.",
  allNullable({
    id: int("Number of the page."),
    currentTitle: string("Title of the page before the edit, in the place of `id`."),
    title: string("A new title."),
    body: string("The text."),
    otherNames: strings("What else the same thing is called; null: nothing.", SeparatedByBlanks()),
    isLocked: boolean("Locks or unlocks it, which takes a Builder."),
    isDeleted: boolean("Deletes it or brings it back, which takes a Builder."),
  }),
);

export const DeleteWikiPageInput = idInput("DeleteWikiPageInput", "Which wiki page to delete.", "Number of the page.");

export const RevertWikiPageInput = inputType("RevertWikiPageInput", "Which version a wiki page goes back to.", {
  id: int("Number of the page."),
  versionId: int("Number of the version, which must be one of this page."),
});
