import { Arg, Args, Ctx, Mutation, Query, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { PostVoteRecord } from "../../src/resources/votes/post-vote.service.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest, Connection } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import { CreatePostVoteInput, CreatePostVotePayload, DeletePostVoteInput, DeletePostVotePayload, RevertPostInput, UpdatePostInput } from "./post.inputs.js";
import { Post } from "./post.type.js";
import { resolver, one, mutation } from "../shared/operations.js";
import { anybody, member } from "../../src/resources/shared/policy.js";

interface VotePayload {
  vote: PostVoteRecord;
  post: PostRecord | null;
}

export const PostOperations = resolver(Post, {
post: one({ of: Post, description: "One post.", id: "Number of the post.", allow: anybody }),

updatePost: mutation({ description: "Edits a post.", allow: member, limited: "postEdit", input: [UpdatePostInput, "The edit."], payload: [Post, "The post after the edit."], resolve: (context, { id, ...edit }) => context.board.posts.update(context, id, edit) }),

revertPost: mutation({ description: "Puts a post back to an earlier version.", allow: member, limited: "postEdit", input: [RevertPostInput, "Post and version."], payload: [Post, "The post after going back."], resolve: (context, { id, versionId }) => context.board.posts.revert(context, id, versionId) }),
});

@Resolver()
export class PostResolver {
  @Public()
  @Query(() => Connection(Post), { description: "Searches posts.", complexity: listComplexity })
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
