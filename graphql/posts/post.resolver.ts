import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { PostVoteRecord } from "../../src/resources/votes/post-vote.service.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import {
  CreatePostVoteInput,
  CreatePostVotePayload,
  DeletePostVoteInput,
  DeletePostVotePayload,
  RevertPostInput,
  RevertPostPayload,
  UpdatePostInput,
  UpdatePostPayload,
} from "./post.inputs.js";
import { Post, PostConnection } from "./post.type.js";

interface VotePayload {
  vote: PostVoteRecord;
  post: PostRecord | null;
}

@Resolver()
export class PostResolver {
  @Public()
  @Query(() => PostConnection, { description: "Searches posts.", complexity: listComplexity })
  async posts(
    @Arg("tags", () => String, { nullable: true, description: "The search: tags, `-tag`, `~tag`, `wild*`, meta-tags." })
    tags: string | null,
    @Arg("raw", () => Boolean, { nullable: true, description: "Take `tags` as one literal tag." }) raw: boolean | null,
    @Arg("md5", () => String, { nullable: true, description: "The post whose file has this MD5." }) md5: string | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() context: GraphQLContext,
  ): Promise<ConnectionOf<PostRecord>> {
    return toConnection(await context.board.posts.search(context, { tags, raw, md5 }, toPageRequest(list)));
  }

  @Public()
  @Query(() => Post, { nullable: true, description: "One post." })
  post(
    @Arg("id", () => Int, { description: "Number of the post." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PostRecord | null> {
    return loaders.post.load(id);
  }

  @RequireLevel(Level.Member)
  @Limited("postEdit")
  @Mutation(() => UpdatePostPayload, { description: "Edits a post." })
  async updatePost(
    @Arg("input", () => UpdatePostInput, { description: "The edit." }) { id, ...edit }: UpdatePostInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ post: PostRecord }> {
    return { post: await context.board.posts.update(context, id, edit) };
  }

  @RequireLevel(Level.Member)
  @Limited("postEdit")
  @Mutation(() => RevertPostPayload, { description: "Puts a post back to an earlier version." })
  async revertPost(
    @Arg("input", () => RevertPostInput, { description: "Post and version." }) { id, versionId }: RevertPostInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ post: PostRecord }> {
    return { post: await context.board.posts.revert(context, id, versionId) };
  }

  @RequireLevel(Level.Member)
  @Limited("vote")
  @Mutation(() => CreatePostVotePayload, { description: "Votes on a post." })
  async createPostVote(
    @Arg("input", () => CreatePostVoteInput, { description: "Post and direction." }) input: CreatePostVoteInput,
    @Ctx() context: GraphQLContext,
  ): Promise<VotePayload> {
    const vote = await context.board.postVotes.create(context, input.postId, input.score === "up" ? 1 : -1);
    return { vote, post: await context.loaders.post.load(input.postId) };
  }

  @RequireLevel(Level.Member)
  @Limited("vote")
  @Mutation(() => DeletePostVotePayload, { description: "Takes your vote on a post back." })
  async deletePostVote(
    @Arg("input", () => DeletePostVoteInput, { description: "The post." }) { postId }: DeletePostVoteInput,
    @Ctx() context: GraphQLContext,
  ): Promise<VotePayload> {
    const vote = await context.board.postVotes.delete(context, postId);
    return { vote, post: await context.loaders.post.load(postId) };
  }
}
