import { Arg, Args, Ctx, Int, Query, registerEnumType, Resolver } from "type-graphql";
import type { PostRef } from "../../src/resources/posts/post.records.js";
import type { PopularScale as ScaleWord } from "../../src/resources/posts/post.service.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { MediaFile } from "./media-file.type.js";
import { fileFacts, filesUrlOf } from "./post.facts.js";
import { Post, PostConnection } from "./post.type.js";
import { int, boolean, objectType } from "../shared/fields.js";

export const PopularScale = { DAY: "day", WEEK: "week", MONTH: "month" } as const;
registerEnumType(PopularScale, {
  name: "PopularScale",
  description: "Length of a time span.",
  valuesConfig: {
    DAY: { description: "One day." },
    WEEK: { description: "One week, starting on Monday." },
    MONTH: { description: "One month." },
  },
});

export const PostCounts = objectType("PostCounts", "The number of posts.", {
  posts: int("Number of posts that match a search."),
  isEstimate: boolean("Whether the count is an estimate because counting would take too long."),
});
export type PostCounts = InstanceType<typeof PostCounts>;

@Resolver()
export class PostExploreResolver {
  @Gated()
  @Query(() => PostCounts, { description: "Number of posts that match a search.", complexity: 20 })
  async postCounts(
    @Arg("tags", () => String, { nullable: true, description: "The search." }) tags: string | null,
    @Ctx() context: GraphQLContext,
  ): Promise<PostCounts> {
    const { count, isEstimate } = await context.board.posts.count(context, { tags });
    return { posts: count, isEstimate };
  }

  @Gated()
  @Query(() => Post, {
    nullable: true,
    description: "A random post that matches a search.",
    complexity: 20,
  })
  randomPost(
    @Arg("tags", () => String, { nullable: true, description: "The search." }) tags: string | null,
    @Ctx() context: GraphQLContext,
  ): Promise<PostRef | null> {
    return context.board.posts.random(context, tags ?? "");
  }

  @Gated()
  @Query(() => MediaFile, {
    nullable: true,
    description: "The file with this ID, if the viewer may see it.",
    complexity: ({ childComplexity }) => 1 + childComplexity,
  })
  async mediaFile(
    @Arg("id", () => Int, { description: "ID of the file." }) id: number,
    @Ctx() context: GraphQLContext,
  ): Promise<MediaFile | null> {
    const post = await context.board.posts.byMediaFile(id);
    return post && fileFacts(post, context.viewer, filesUrlOf(context)).mediaFile;
  }

  @Gated()
  @Query(() => PostConnection, {
    description: "Posts of a time span, highest score first.",
    complexity: listComplexity,
  })
  async popularPosts(
    @Arg("date", () => String, {
      nullable: true,
      description: "A day within the time span, such as 2026-01-31; today by default.",
    })
    date: string | null,
    @Arg("scale", () => PopularScale, { nullable: true, description: "Length of the time span; a day by default." })
    scale: ScaleWord | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() context: GraphQLContext,
  ): Promise<ConnectionOf<PostRef>> {
    return toConnection(await context.board.posts.popular(context, { date, scale }, toPageRequest(list)));
  }
}
