import { Arg, Args, Ctx, Query, Resolver } from "type-graphql";
import type { CommentVoteRecord } from "../../src/resources/votes/comment-vote.service.js";
import type { PostVoteRecord } from "../../src/resources/votes/post-vote.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { CommentVoteConnection, CommentVoteSearch, PostVoteConnection, PostVoteSearch } from "./vote.inputs.js";

@Resolver()
export class VoteResolver {
  @Public()
  @Query(() => PostVoteConnection, {
    description: "Lists your own votes on posts, newest first; for Admins, everybody's.",
    complexity: listComplexity,
  })
  async postVotes(
    @Arg("search", () => PostVoteSearch, { nullable: true, description: "Which votes to list." })
    search: PostVoteSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<ConnectionOf<PostVoteRecord>> {
    return toConnection(await board.voteSearch.onPosts(viewer, search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => CommentVoteConnection, {
    description: "Lists your own votes on comments, newest first; for Admins, everybody's.",
    complexity: listComplexity,
  })
  async commentVotes(
    @Arg("search", () => CommentVoteSearch, { nullable: true, description: "Which votes to list." })
    search: CommentVoteSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<ConnectionOf<CommentVoteRecord>> {
    return toConnection(await board.voteSearch.onComments(viewer, search ?? {}, toPageRequest(list)));
  }
}
