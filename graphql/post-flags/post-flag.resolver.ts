import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import { maySeeFlagger } from "../../src/resources/post-flags/post-flag.policy.js";
import type { PostFlagRecord } from "../../src/resources/post-flags/post-flag.service.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import {
  CreatePostFlagInput,
  CreatePostFlagPayload,
  PostFlag,
  PostFlagConnection,
  PostFlagSearch,
} from "./post-flag.type.js";

@Resolver(() => PostFlag)
export class PostFlagResolver {
  @Public()
  @Query(() => PostFlagConnection, { description: "Lists flags of posts, newest first.", complexity: listComplexity })
  async postFlags(
    @Arg("search", () => PostFlagSearch, { nullable: true, description: "Which flags to list." })
    search: PostFlagSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() context: GraphQLContext,
  ): Promise<ConnectionOf<PostFlagRecord>> {
    return toConnection(await context.board.postFlags.search(context, search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => PostFlag, { nullable: true, description: "One flag of a post." })
  postFlag(
    @Arg("id", () => Int, { description: "Number of the flag." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PostFlagRecord | null> {
    return loaders.postFlag.load(id);
  }

  @RequireLevel(Level.Member)
  @Mutation(() => CreatePostFlagPayload, { description: "Flags a post for deletion." })
  async createPostFlag(
    @Arg("input", () => CreatePostFlagInput, { description: "Post and reason." }) input: CreatePostFlagInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ postFlag: PostFlagRecord }> {
    return { postFlag: await context.board.postFlags.create(context, input) };
  }

  @FieldResolver(() => Post, { nullable: true, description: "The flagged post." })
  post(@Root() flag: PostFlagRecord, @Ctx() { loaders }: GraphQLContext): Promise<PostRecord | null> {
    return loaders.post.load(flag.postId);
  }

  @FieldResolver(() => Int, { nullable: true })
  creatorId(@Root() flag: PostFlagRecord, @Ctx() { viewer }: GraphQLContext): number | null {
    return maySeeFlagger(viewer, flag) ? flag.creatorId : null;
  }

  @FieldResolver(() => String, { nullable: true })
  creatorName(@Root() flag: PostFlagRecord, @Ctx() { viewer }: GraphQLContext): string | null {
    return maySeeFlagger(viewer, flag) ? flag.creatorName : null;
  }

  @FieldResolver(() => User, { nullable: true, description: `Who flagged: ${SECRET}.` })
  creator(@Root() flag: PostFlagRecord, @Ctx() { viewer, loaders }: GraphQLContext): Promise<UserRecord | null> | null {
    if (flag.creatorId === null || !maySeeFlagger(viewer, flag)) return null;
    return loaders.user.load(flag.creatorId);
  }
}
