/** The flags and appeals of a post. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { PostAppealRecord } from "../../src/resources/post-appeals/post-appeal.service.js";
import type { PostFlagRecord } from "../../src/resources/post-flags/post-flag.service.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { PostAppeal } from "../post-appeals/post-appeal.type.js";
import { PostFlag } from "../post-flags/post-flag.type.js";
import { costOf, First, RECORDS, wanted } from "../shared/bounded.js";
import { Post } from "./post.type.js";

@Resolver(() => Post)
export class PostReports {
  @FieldResolver(() => [PostFlag], {
    description: "The flags, newest first, those of its deletions among them.",
    complexity: costOf(RECORDS),
  })
  flags(
    @Root() post: PostRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PostFlagRecord[]> {
    return loaders.postFlags.load(wanted(RECORDS, post, first));
  }

  @FieldResolver(() => [PostAppeal], { description: "The appeals, newest first.", complexity: costOf(RECORDS) })
  appeals(
    @Root() post: PostRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PostAppealRecord[]> {
    return loaders.postAppeals.load(wanted(RECORDS, post, first));
  }
}
