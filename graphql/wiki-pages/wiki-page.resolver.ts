import { revertTo } from "../shared/versions.js";
import { mayDelete, mayLock, mayUpdate } from "../../src/resources/wiki-pages/wiki-page.policy.js";
import { User } from "../users/user.type.js";
import { CreateWikiPageInput, UpdateWikiPageInput, WikiPageSearch } from "./wiki-page.inputs.js";
import { WikiPage } from "./wiki-page.type.js";
import { resolver, list, mutation, query, relation, abilities } from "../shared/operations.js";
import { int, nested, nullable, string } from "../shared/fields.js";

export const WikiPageResolver = resolver(WikiPage, {
  wikiPages: list({
    of: WikiPage,
    description: "Lists wiki pages, including deleted ones.",
    search: [WikiPageSearch, "Filters for the list of pages."],
    find: ({ board }, search, page) => board.wikiPages.search(search, page),
  }),

  wikiPage: query({
    returns: nullable(nested(() => WikiPage, "One wiki page, by ID or by title.")),
    args: { id: nullable(int("ID of the page.")), title: nullable(string("Title of the page.")) },
    resolve: ({ board, loaders }, { id, title }) =>
      typeof id === "number" ? loaders.wikiPage.load(id) : title ? board.wikiPages.byTitle(title) : null,
  }),

  createWikiPage: mutation({
    description: "Creates a wiki page.",
    limited: "recordEdit",
    input: [CreateWikiPageInput, "The page."],
    payload: [WikiPage, "The new page."],
    resolve: (context, input) => context.board.wikiPages.create(context, input),
  }),

  updateWikiPage: mutation({
    description: "Edits a wiki page.",
    limited: "recordEdit",
    input: [UpdateWikiPageInput, "The edit."],
    payload: [WikiPage, "The page after the edit."],
    resolve: (context, { id, currentTitle, ...edit }) =>
      context.board.wikiPages.update(context, { id, title: currentTitle }, edit),
  }),

  deleteWikiPage: mutation({
    description: "Deletes a wiki page and keeps its title and history.",
    input: [{ id: int("ID of the page.") }, "The wiki page to delete.", "The page."],
    payload: [WikiPage, "The deleted page."],
    resolve: (context, { id }) => context.board.wikiPages.delete(context, id),
  }),

  revertWikiPage: mutation({
    description: "Reverts a wiki page to an earlier version.",
    limited: "recordEdit",
    input: [revertTo("page"), "The version to revert to.", "The page and the version."],
    payload: [WikiPage, "The page after the revert."],
    resolve: (context, { id, versionId }) => context.board.wikiPages.revert(context, id, versionId),
  }),

  creator: relation(() => User, "The user who created it."),

  updater: relation(() => User, "The user who made the last edit."),

  viewerCan: abilities("a wiki page", {
    update: [mayUpdate, "Edit and revert it."],
    lock: [mayLock, "Lock and unlock it."],
    delete: [mayDelete, "Delete and restore it."],
  }),
});
