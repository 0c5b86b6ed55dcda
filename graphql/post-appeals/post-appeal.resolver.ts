import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { PostAppealRecord } from "../../src/resources/post-appeals/post-appeal.service.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import {
  CreatePostAppealInput,
  CreatePostAppealPayload,
  PostAppeal,
  PostAppealConnection,
  PostAppealSearch,
} from "./post-appeal.type.js";

@Resolver(() => PostAppeal)
export class PostAppealResolver {
  @Public()
  @Query(() => PostAppealConnection, { description: "Lists appeals, newest first.", complexity: listComplexity })
  async postAppeals(
    @Arg("search", () => PostAppealSearch, { nullable: true, description: "Which appeals to list." })
    search: PostAppealSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<PostAppealRecord>> {
    return toConnection(await board.postAppeals.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => PostAppeal, { nullable: true, description: "One appeal." })
  postAppeal(
    @Arg("id", () => Int, { description: "Number of the appeal." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PostAppealRecord | null> {
    return loaders.postAppeal.load(id);
  }

  @RequireLevel(Level.Member)
  @Mutation(() => CreatePostAppealPayload, { description: "Appeals for a post that is deleted or flagged." })
  async createPostAppeal(
    @Arg("input", () => CreatePostAppealInput, { description: "Post and reason." }) input: CreatePostAppealInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ postAppeal: PostAppealRecord }> {
    return { postAppeal: await context.board.postAppeals.create(context, input) };
  }

  @FieldResolver(() => Post, { nullable: true, description: "The post." })
  post(@Root() appeal: PostAppealRecord, @Ctx() { loaders }: GraphQLContext): Promise<PostRecord | null> {
    return loaders.post.load(appeal.postId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who appealed." })
  creator(@Root() appeal: PostAppealRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(appeal.creatorId);
  }
}
