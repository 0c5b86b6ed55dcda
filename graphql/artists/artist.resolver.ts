import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { ArtistRecord, ArtistUrlRecord } from "../../src/resources/artists/artist.records.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import { ArtistUrlConnection, ArtistUrlSearch } from "./artist-url.type.js";
import {
  ArtistSearch,
  BanArtistInput,
  CreateArtistInput,
  DeleteArtistInput,
  RevertArtistInput,
  UnbanArtistInput,
  UndeleteArtistInput,
  UpdateArtistInput,
} from "./artist.inputs.js";
import {
  BanArtistPayload,
  CreateArtistPayload,
  DeleteArtistPayload,
  RevertArtistPayload,
  UnbanArtistPayload,
  UndeleteArtistPayload,
  UpdateArtistPayload,
} from "./artist.payloads.js";
import { Artist, ArtistConnection } from "./artist.type.js";

type Payload = Promise<{ artist: ArtistRecord }>;

@Resolver()
export class ArtistResolver {
  @Public()
  @Query(() => ArtistConnection, { description: "Lists artists, newest first.", complexity: listComplexity })
  async artists(
    @Arg("search", () => ArtistSearch, { nullable: true, description: "Which artists to list." })
    search: ArtistSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<ArtistRecord>> {
    return toConnection(await board.artists.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => ArtistConnection, {
    description: "Lists banned artists, by name unless the search says otherwise.",
    complexity: listComplexity,
  })
  async bannedArtists(
    @Arg("search", () => ArtistSearch, { nullable: true, description: "Which of the banned artists to list." })
    search: ArtistSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<ArtistRecord>> {
    return toConnection(await board.artists.searchBanned(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => ArtistUrlConnection, { description: "Lists URLs of artists, newest first.", complexity: listComplexity })
  async artistUrls(
    @Arg("search", () => ArtistUrlSearch, { nullable: true, description: "Which URLs to list." })
    search: ArtistUrlSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<ArtistUrlRecord>> {
    return toConnection(await board.artistUrls.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => Artist, { nullable: true, description: "One artist." })
  artist(
    @Arg("id", () => Int, { description: "Number of the artist." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<ArtistRecord | null> {
    return loaders.artist.load(id);
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => CreateArtistPayload, { description: "Makes the record of an artist." })
  async createArtist(
    @Arg("input", () => CreateArtistInput, { description: "The artist." }) input: CreateArtistInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { artist: await context.board.artists.create(context, input) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => UpdateArtistPayload, { description: "Edits what is known of an artist." })
  async updateArtist(
    @Arg("input", () => UpdateArtistInput, { description: "The edit." }) { id, ...edit }: UpdateArtistInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { artist: await context.board.artists.update(context, id, edit) };
  }

  @RequireLevel(Level.Builder)
  @Mutation(() => DeleteArtistPayload, { description: "Takes an artist away; the history stays." })
  async deleteArtist(
    @Arg("input", () => DeleteArtistInput, { description: "The artist." }) { id }: DeleteArtistInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { artist: await context.board.artists.delete(context, id) };
  }

  @RequireLevel(Level.Builder)
  @Mutation(() => UndeleteArtistPayload, { description: "Brings a deleted artist back." })
  async undeleteArtist(
    @Arg("input", () => UndeleteArtistInput, { description: "The artist." }) { id }: UndeleteArtistInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { artist: await context.board.artists.undelete(context, id) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => RevertArtistPayload, { description: "Puts an artist back to an earlier version, apart from a ban." })
  async revertArtist(
    @Arg("input", () => RevertArtistInput, { description: "Artist and version." }) { id, versionId }: RevertArtistInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { artist: await context.board.artists.revert(context, id, versionId) };
  }

  @RequireLevel(Level.Admin)
  @Mutation(() => BanArtistPayload, {
    description:
      "Bans an artist: all posts are banned and get the tag `banned_artist`, which the artist's tag implies.",
  })
  async banArtist(
    @Arg("input", () => BanArtistInput, { description: "The artist." }) { id }: BanArtistInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { artist: await context.board.artists.ban(context, id) };
  }

  @RequireLevel(Level.Admin)
  @Mutation(() => UnbanArtistPayload, { description: "Takes the ban of an artist back, from the posts too." })
  async unbanArtist(
    @Arg("input", () => UnbanArtistInput, { description: "The artist." }) { id }: UnbanArtistInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { artist: await context.board.artists.unban(context, id) };
  }
}
