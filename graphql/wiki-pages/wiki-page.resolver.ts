import { mayDelete, mayLock, mayUpdate } from "../../src/resources/wiki-pages/wiki-page.policy.js";
import type { WikiPageRecord } from "../../src/resources/wiki-pages/wiki-page.records.js";
import { editsOf } from "../shared/edits.js";
import { TagCategory } from "../shared/enums.js";
import {
  allNullable,
  boolean,
  date,
  enumType,
  int,
  ints,
  nested,
  nullable,
  objectType,
  oneOf,
  SeparatedByBlanks,
  string,
  strings,
} from "../shared/fields.js";
import { list, mutation, query, resolversOf } from "../shared/operations.js";
import { abilities, relation, rendered } from "../shared/record-fields.js";
import { versionsOf } from "../shared/versions.js";
import { User } from "../users/user.type.js";

const WikiPage = objectType("WikiPage", "A wiki page, which explains a tag or how to use the board.", {
  id: int("ID of the page."),
  title: string("The title: the name of the tag that it describes, if there is one."),
  body: string("The text as written; clients must sanitize it before display."),
  otherNames: strings("Other names, usually in other languages."),
  category: oneOf(TagCategory, "Category of the tag with this name; general if there is none."),
  creatorId: int("The user who created it."),
  creatorName: string("Name of the user who created it."),
  updaterId: int("The user who made the last edit."),
  updaterName: string("Name of the user who made the last edit."),
  isLocked: boolean("Whether it is locked: only Builders and above can edit it."),
  isDeleted: boolean("Whether it is deleted."),
  createdAt: date("When it was created."),
  updatedAt: date("When it was last updated."),
});

const WikiPageOrder = enumType("WikiPageOrder", "Sort orders of wiki pages.", {
  TITLE: ["title", "By title."],
  DATE: ["date", "Most recently updated first."],
});

const edits = editsOf(WikiPage, ({ wikiPages }) => wikiPages);

/** What identifies a page in an action on it. */
const key = allNullable({
  id: int("ID of the page."),
  title: string("Title of the page, instead of `id`."),
});

resolversOf(WikiPage, {
  wikiPages: list({
    of: WikiPage,
    description: "Lists wiki pages, including deleted ones.",
    search: {
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
    },
    find: ({ board }, search, page) => board.wikiPages.search(search, page),
  }),

  wikiPage: query({
    returns: nullable(nested(() => WikiPage, "One wiki page, by ID or by title.")),
    args: { id: nullable(int("ID of the page.")), title: nullable(string("Title of the page.")) },
    resolve: ({ board, loaders }, { id, title }) =>
      typeof id === "number" ? loaders.wikiPage.load(id) : title ? board.wikiPages.byTitle(title) : null,
  }),

  createWikiPage: edits.create("Creates a wiki page.", {
    title: string("The title, which must be unique."),
    body: string("The text."),
    ...allNullable({
      otherNames: strings("Other names.", SeparatedByBlanks()),
      isLocked: boolean("Whether it is locked; Builders and above."),
    }),
  }),

  updateWikiPage: mutation({
    description: "Edits a wiki page.",
    limited: "recordEdit",
    input: [
      allNullable({
        id: int("ID of the page."),
        currentTitle: string("Title of the page before the edit, instead of `id`."),
        title: string("A new title."),
        body: string("The text."),
        otherNames: strings("Other names; null removes them all.", SeparatedByBlanks()),
        isLocked: boolean("Lock or unlock it; Builders and above."),
        isDeleted: boolean("Delete or restore it; Builders and above."),
      }),
      "An edit of a wiki page, given by ID or title. Absent fields do not change.",
      "The edit.",
    ],
    payload: [WikiPage, "The page after the edit."],
    resolve: (context, { id, currentTitle, ...edit }) =>
      context.board.wikiPages.update(context, { id, title: currentTitle }, edit),
  }),

  deleteWikiPage: mutation({
    description: "Deletes a wiki page and keeps its title and history.",
    limited: null,
    input: [key, "The wiki page to delete, given by ID or title.", "The wiki page."],
    payload: [WikiPage, "The deleted wiki page."],
    resolve: (context, page) => context.board.wikiPages.delete(context, page),
  }),

  revertWikiPage: mutation({
    description: "Reverts a wiki page to an earlier version.",
    limited: "recordEdit",
    input: [
      { ...key, versionId: int("ID of the version, which must belong to this wiki page.") },
      "The version to revert to, of a page given by ID or title.",
      "The wiki page and the version.",
    ],
    payload: [WikiPage, "The wiki page after the revert."],
    resolve: (context, { versionId, ...page }) => context.board.wikiPages.revert(context, page, versionId),
  }),

  bodyHtml: rendered("The text as sanitized HTML.", ({ body }: WikiPageRecord) => body),
  creator: relation(() => User, "The user who created it."),
  updater: relation(() => User, "The user who made the last edit."),

  viewerCan: abilities("a wiki page", {
    update: [mayUpdate, "Edit and revert it."],
    lock: [mayLock, "Lock and unlock it."],
    delete: [mayDelete, "Delete and restore it."],
  }),
});

versionsOf(WikiPage, {
  fields: {
    title: string("The title."),
    body: string("The text."),
    otherNames: strings("The other names."),
    isLocked: boolean("Whether it was locked."),
    isDeleted: boolean("Whether it was deleted."),
  },
});
