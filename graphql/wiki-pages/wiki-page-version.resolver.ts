import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { WikiPageRecord } from "../../src/resources/wiki-pages/wiki-page.service.js";
import type { WikiPageVersionRecord } from "../../src/resources/wiki-pages/wiki-page.versions.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { WikiPageVersion, WikiPageVersionConnection, WikiPageVersionSearch } from "./wiki-page-version.type.js";
import { WikiPage } from "./wiki-page.type.js";

@Resolver(() => WikiPageVersion)
export class WikiPageVersionResolver {
  @Public()
  @Query(() => WikiPageVersionConnection, {
    description: "Lists versions of wiki pages, newest first.",
    complexity: listComplexity,
  })
  async wikiPageVersions(
    @Arg("search", () => WikiPageVersionSearch, { nullable: true, description: "Which versions to list." })
    search: WikiPageVersionSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<WikiPageVersionRecord>> {
    return toConnection(await board.wikiPageVersions.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => WikiPageVersion, { nullable: true, description: "One version of a wiki page." })
  wikiPageVersion(
    @Arg("id", () => Int, { description: "Number of the version." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<WikiPageVersionRecord | null> {
    return loaders.wikiPageVersion.load(id);
  }

  @FieldResolver(() => WikiPage, { nullable: true, description: "The page as it is now." })
  wikiPage(@Root() version: WikiPageVersionRecord, @Ctx() { loaders }: GraphQLContext): Promise<WikiPageRecord | null> {
    return loaders.wikiPage.load(version.wikiPageId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who made the edit." })
  updater(@Root() version: WikiPageVersionRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(version.updaterId);
  }
}
