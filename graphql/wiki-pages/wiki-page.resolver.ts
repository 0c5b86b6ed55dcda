import { Arg, Ctx, Int, Query, Resolver } from "type-graphql";
import { mayDelete, mayLock, mayUpdate } from "../../src/resources/wiki-pages/wiki-page.policy.js";
import type { WikiPageRecord } from "../../src/resources/wiki-pages/wiki-page.records.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { User } from "../users/user.type.js";
import {
  CreateWikiPageInput,
  DeleteWikiPageInput,
  RevertWikiPageInput,
  UpdateWikiPageInput,
  WikiPageSearch,
} from "./wiki-page.inputs.js";
import { WikiPage } from "./wiki-page.type.js";
import { resolver, list, mutation, relation, abilities } from "../shared/operations.js";

export const WikiPageOperations = resolver(WikiPage, {
  wikiPages: list({
    of: WikiPage,
    description: "Lists wiki pages, including deleted ones.",
    search: [WikiPageSearch, "Filters for the list of pages."],
    find: ({ board }, search, page) => board.wikiPages.search(search, page),
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
    input: [DeleteWikiPageInput, "The page."],
    payload: [WikiPage, "The deleted page."],
    resolve: (context, { id }) => context.board.wikiPages.delete(context, id),
  }),

  revertWikiPage: mutation({
    description: "Reverts a wiki page to an earlier version.",
    limited: "recordEdit",
    input: [RevertWikiPageInput, "The page and the version."],
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

@Resolver(() => WikiPage)
export class WikiPageResolver {
  @Gated()
  @Query(() => WikiPage, { nullable: true, description: "One wiki page, by ID or by title." })
  wikiPage(
    @Arg("id", () => Int, { nullable: true, description: "ID of the page." }) id: number | null,
    @Arg("title", () => String, { nullable: true, description: "Title of the page." }) title: string | null,
    @Ctx() { board, loaders }: GraphQLContext,
  ): Promise<WikiPageRecord | null> {
    if (typeof id === "number") return loaders.wikiPage.load(id);
    return title ? board.wikiPages.byTitle(title) : Promise.resolve(null);
  }
}
