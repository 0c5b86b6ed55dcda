import { Arg, Args, Ctx, Int, Query, Resolver } from "type-graphql";
import type { TagRecord } from "../../src/resources/tags/tag.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { TagSearch } from "./tag.inputs.js";
import { Tag, TagConnection } from "./tag.type.js";

@Resolver(() => Tag)
export class TagResolver {
  @Public()
  @Query(() => TagConnection, { description: "Lists tags.", complexity: listComplexity })
  async tags(
    @Arg("search", () => TagSearch, { nullable: true, description: "Which tags to list." }) search: TagSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<TagRecord>> {
    return toConnection(await board.tags.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => Tag, { nullable: true, description: "One tag, by number or by name." })
  tag(
    @Arg("id", () => Int, { nullable: true, description: "Number of the tag." }) id: number | null,
    @Arg("name", () => String, { nullable: true, description: "Name of the tag." }) name: string | null,
    @Ctx() { board, loaders }: GraphQLContext,
  ): Promise<TagRecord | null> {
    if (typeof id === "number") return loaders.tag.load(id);
    return name ? board.tags.byName(name) : Promise.resolve(null);
  }
}
