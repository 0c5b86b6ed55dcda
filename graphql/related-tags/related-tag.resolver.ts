import { Arg, Ctx, Query, Resolver } from "type-graphql";
import type { RelatedTagsRecord } from "../../src/resources/related-tags/related-tag.service.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { TagCategory } from "../shared/enums.js";
import { RelatedTags } from "./related-tag.type.js";

/** Cost of what is asked of some hundred posts. */
const SAMPLED = 400;

@Resolver()
export class RelatedTagResolver {
  @Gated()
  @Query(() => RelatedTags, {
    description: "Tags that are frequent among the posts that match a search.",
    complexity: ({ childComplexity }) => SAMPLED + childComplexity,
  })
  relatedTags(
    @Arg("query", () => String, { description: "A search; or a pattern of tag names with `*`." }) query: string,
    @Arg("category", () => TagCategory, { nullable: true, description: "Only tags of this category." })
    category: number | null,
    @Ctx() context: GraphQLContext,
  ): Promise<RelatedTagsRecord> {
    return context.board.relatedTags.find(context, query, category ?? null);
  }
}
