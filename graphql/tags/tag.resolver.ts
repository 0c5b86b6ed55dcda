import { Arg, Ctx, Int, Query, Resolver } from "type-graphql";
import type { TagRecord } from "../../src/resources/tags/tag.service.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { TagSearch } from "./tag.inputs.js";
import { Tag } from "./tag.type.js";
import { resolver, list } from "../shared/operations.js";

export const TagOperations = resolver(Tag, {
  tags: list({
    of: Tag,
    description: "Lists tags.",
    search: [TagSearch, "Filters for the list of tags."],
    find: ({ board }, search, page) => board.tags.search(search, page),
  }),
});

@Resolver(() => Tag)
export class TagResolver {
  @Gated()
  @Query(() => Tag, { nullable: true, description: "One tag, by ID or by name." })
  tag(
    @Arg("id", () => Int, { nullable: true, description: "ID of the tag." }) id: number | null,
    @Arg("name", () => String, { nullable: true, description: "Name of the tag." }) name: string | null,
    @Ctx() { board, loaders }: GraphQLContext,
  ): Promise<TagRecord | null> {
    if (typeof id === "number") return loaders.tag.load(id);
    return name ? board.tags.byName(name) : Promise.resolve(null);
  }
}
