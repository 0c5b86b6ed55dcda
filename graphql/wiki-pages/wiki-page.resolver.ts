import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import { mayDelete, mayLock, mayUpdate } from "../../src/resources/wiki-pages/wiki-page.policy.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { WikiPageRecord } from "../../src/resources/wiki-pages/wiki-page.service.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import { User } from "../users/user.type.js";
import {
  CreateWikiPageInput,
  DeleteWikiPageInput,
  RevertWikiPageInput,
  UpdateWikiPageInput,
  WikiPageSearch,
} from "./wiki-page.inputs.js";
import {
  CreateWikiPagePayload,
  DeleteWikiPagePayload,
  RevertWikiPagePayload,
  UpdateWikiPagePayload,
  WikiPage,
  WikiPageAbilities,
  WikiPageConnection,
} from "./wiki-page.type.js";

interface Payload {
  wikiPage: WikiPageRecord;
}

@Resolver(() => WikiPage)
export class WikiPageResolver {
  @Public()
  @Query(() => WikiPageConnection, { description: "Lists wiki pages, deleted ones too.", complexity: listComplexity })
  async wikiPages(
    @Arg("search", () => WikiPageSearch, { nullable: true, description: "Which pages to list." })
    search: WikiPageSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<WikiPageRecord>> {
    return toConnection(await board.wikiPages.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => WikiPage, { nullable: true, description: "One wiki page, by number or by title." })
  wikiPage(
    @Arg("id", () => Int, { nullable: true, description: "Number of the page." }) id: number | null,
    @Arg("title", () => String, { nullable: true, description: "Title of the page." }) title: string | null,
    @Ctx() { board, loaders }: GraphQLContext,
  ): Promise<WikiPageRecord | null> {
    if (typeof id === "number") return loaders.wikiPage.load(id);
    return title ? board.wikiPages.byTitle(title) : Promise.resolve(null);
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => CreateWikiPagePayload, { description: "Makes a wiki page." })
  async createWikiPage(
    @Arg("input", () => CreateWikiPageInput, { description: "The page." }) input: CreateWikiPageInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { wikiPage: await context.board.wikiPages.create(context, input) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => UpdateWikiPagePayload, { description: "Edits a wiki page." })
  async updateWikiPage(
    @Arg("input", () => UpdateWikiPageInput, { description: "The edit." })
    { id, currentTitle, ...edit }: UpdateWikiPageInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { wikiPage: await context.board.wikiPages.update(context, { id, title: currentTitle }, edit) };
  }

  @RequireLevel(Level.Builder)
  @Mutation(() => DeleteWikiPagePayload, { description: "Deletes a wiki page; title and history stay its own." })
  async deleteWikiPage(
    @Arg("input", () => DeleteWikiPageInput, { description: "The page." }) { id }: DeleteWikiPageInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { wikiPage: await context.board.wikiPages.delete(context, id) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => RevertWikiPagePayload, { description: "Puts a wiki page back to an earlier version." })
  async revertWikiPage(
    @Arg("input", () => RevertWikiPageInput, { description: "Page and version." })
    { id, versionId }: RevertWikiPageInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { wikiPage: await context.board.wikiPages.revert(context, id, versionId) };
  }

  @FieldResolver(() => User, { nullable: true, description: "Who made it." })
  creator(@Root() page: WikiPageRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(page.creatorId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who made the last edit." })
  updater(@Root() page: WikiPageRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(page.updaterId);
  }

  @FieldResolver(() => WikiPageAbilities, { description: "What the viewer may do with it." })
  viewerCan(@Root() page: WikiPageRecord, @Ctx() { viewer }: GraphQLContext): WikiPageAbilities {
    return { update: mayUpdate(viewer, page), lock: mayLock(viewer, page), delete: mayDelete(viewer, page) };
  }
}
