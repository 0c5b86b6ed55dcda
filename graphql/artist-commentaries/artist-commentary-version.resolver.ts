import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { ArtistCommentaryVersionRecord } from "../../src/resources/artist-commentaries/artist-commentary.versions.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import {
  ArtistCommentaryVersion,
  ArtistCommentaryVersionConnection,
  ArtistCommentaryVersionSearch,
} from "./artist-commentary-version.type.js";

type Version = ArtistCommentaryVersionRecord;

@Resolver(() => ArtistCommentaryVersion)
export class ArtistCommentaryVersionResolver {
  @Public()
  @Query(() => ArtistCommentaryVersionConnection, {
    description: "Lists versions of artists' commentaries, newest first.",
    complexity: listComplexity,
  })
  async artistCommentaryVersions(
    @Arg("search", () => ArtistCommentaryVersionSearch, { nullable: true, description: "Which versions to list." })
    search: ArtistCommentaryVersionSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<Version>> {
    return toConnection(await board.artistCommentaryVersions.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => ArtistCommentaryVersion, { nullable: true, description: "One version of an artist's commentary." })
  artistCommentaryVersion(
    @Arg("id", () => Int, { description: "Number of the version." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<Version | null> {
    return loaders.artistCommentaryVersion.load(id);
  }

  @FieldResolver(() => Post, { nullable: true, description: "The post." })
  post(@Root() version: Version, @Ctx() { loaders }: GraphQLContext): Promise<PostRecord | null> {
    return loaders.post.load(version.postId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who made the edit." })
  updater(@Root() version: Version, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(version.updaterId);
  }
}
