/** The flags and appeals of a post. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { PostAppealRecord } from "../../src/services/post-appeal.service.js";
import type { PostFlagRecord } from "../../src/services/post-flag.service.js";
import type { PostRecord } from "../../src/services/post.records.js";
import type { GraphQLContext } from "../context.js";
import { PostAppeal } from "../post-appeals/post-appeal.type.js";
import { PostFlag } from "../post-flags/post-flag.type.js";
import { Post } from "./post.type.js";

/** Few posts have any, and hardly one has more than a handful. */
const REPORTS = 5;
const costOfReports = ({ childComplexity }: { childComplexity: number }): number => 1 + REPORTS * childComplexity;

@Resolver(() => Post)
export class PostReports {
  @FieldResolver(() => [PostFlag], {
    description: "The flags, newest first, those of its deletions among them.",
    complexity: costOfReports,
  })
  flags(@Root() post: PostRecord, @Ctx() { loaders }: GraphQLContext): Promise<PostFlagRecord[]> {
    return loaders.postFlags.load(post.id);
  }

  @FieldResolver(() => [PostAppeal], { description: "The appeals, newest first.", complexity: costOfReports })
  appeals(@Root() post: PostRecord, @Ctx() { loaders }: GraphQLContext): Promise<PostAppealRecord[]> {
    return loaders.postAppeals.load(post.id);
  }
}
