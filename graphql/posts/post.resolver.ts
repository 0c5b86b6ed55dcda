import { revertTo } from "../shared/versions.js";
import { Arg, Args, Ctx, Query, Resolver } from "type-graphql";
import type { PostRef } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import {
  CreatePostVoteInput,
  CreatePostVotePayload,
  DeletePostVoteInput,
  DeletePostVotePayload,
  UpdatePostInput,
} from "./post.inputs.js";
import { Post, PostConnection } from "./post.type.js";
import { resolver, one, mutation } from "../shared/operations.js";

export const PostOperations = resolver(Post, {
  post: one({ of: Post, description: "One post.", id: "ID of the post." }),

  updatePost: mutation({
    description: "Edits a post.",
    limited: "postEdit",
    input: [UpdatePostInput, "The edit."],
    payload: [Post, "The post after the edit."],
    resolve: (context, { id, ...edit }) => context.board.postEdits.update(context, id, edit),
  }),

  revertPost: mutation({
    description: "Reverts a post to an earlier version.",
    limited: "postEdit",
    input: [revertTo("post"), "The version to revert to.", "The post and the version."],
    payload: [Post, "The post after the revert."],
    resolve: (context, { id, versionId }) => context.board.postEdits.revert(context, id, versionId),
  }),

  createPostVote: mutation({
    description: "Votes on a post.",
    limited: "vote",
    input: [CreatePostVoteInput, "The post and the direction of the vote."],
    payload: CreatePostVotePayload,
    resolve: async (context, input) => {
      const vote = await context.board.postVotes.create(context, input.postId, input.score === "up" ? 1 : -1);
      return { vote, post: await context.loaders.post.load(input.postId) };
    },
  }),

  deletePostVote: mutation({
    description: "Removes the viewer's vote on a post.",
    limited: "vote",
    input: [DeletePostVoteInput, "The post."],
    payload: DeletePostVotePayload,
    resolve: async (context, { postId }) => {
      const vote = await context.board.postVotes.delete(context, postId);
      return { vote, post: await context.loaders.post.load(postId) };
    },
  }),
});

@Resolver()
export class PostResolver {
  @Gated()
  @Query(() => PostConnection, { description: "Searches posts.", complexity: listComplexity })
  async posts(
    @Arg("tags", () => String, {
      nullable: true,
      description: "The search: tags, `-tag`, `~tag`, `wild*` and meta-tags.",
    })
    tags: string | null,
    @Arg("raw", () => Boolean, { nullable: true, description: "Treat `tags` as one literal tag." }) raw: boolean | null,
    @Arg("md5", () => String, { nullable: true, description: "The post whose file has this MD5." }) md5: string | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() context: GraphQLContext,
  ): Promise<ConnectionOf<PostRef>> {
    const asked = { tags, raw, md5 };
    const connection = toConnection(await context.board.posts.search(context, asked, toPageRequest(list)));
    return Object.assign(connection, { asked });
  }
}
