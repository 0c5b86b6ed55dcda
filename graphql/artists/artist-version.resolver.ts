import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { ArtistRecord } from "../../src/resources/artists/artist.records.js";
import type { ArtistVersionRecord } from "../../src/resources/artists/artist.versions.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { ArtistVersion, ArtistVersionConnection, ArtistVersionSearch } from "./artist-version.type.js";
import { Artist } from "./artist.type.js";

@Resolver(() => ArtistVersion)
export class ArtistVersionResolver {
  @Public()
  @Query(() => ArtistVersionConnection, {
    description: "Lists versions of artists, newest first.",
    complexity: listComplexity,
  })
  async artistVersions(
    @Arg("search", () => ArtistVersionSearch, { nullable: true, description: "Which versions to list." })
    search: ArtistVersionSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<ArtistVersionRecord>> {
    return toConnection(await board.artistVersions.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => ArtistVersion, { nullable: true, description: "One version of an artist." })
  artistVersion(
    @Arg("id", () => Int, { description: "Number of the version." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<ArtistVersionRecord | null> {
    return loaders.artistVersion.load(id);
  }

  @FieldResolver(() => Artist, { nullable: true, description: "The artist as it is now." })
  artist(@Root() version: ArtistVersionRecord, @Ctx() { loaders }: GraphQLContext): Promise<ArtistRecord | null> {
    return loaders.artist.load(version.artistId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who made the edit." })
  updater(@Root() version: ArtistVersionRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(version.updaterId);
  }

  @FieldResolver(() => String)
  urlString(@Root() version: ArtistVersionRecord): string {
    return version.urls.join("\n");
  }

  @FieldResolver(() => Boolean)
  isDeleted(@Root() version: ArtistVersionRecord): boolean {
    return !version.isActive;
  }
}
