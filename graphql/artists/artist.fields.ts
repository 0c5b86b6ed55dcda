/** The fields of an artist that are more than a column. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { mayBan, mayDelete, mayRename, mayUpdate } from "../../src/resources/artists/artist.policy.js";
import { type ArtistRecord, type ArtistUrlRecord, writtenUrl } from "../../src/resources/artists/artist.records.js";
import type { TagRecord } from "../../src/resources/tags/tag.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { costOf, First, URLS, wanted } from "../shared/bounded.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";
import { ArtistUrl } from "./artist-url.type.js";
import { Artist, ArtistAbilities } from "./artist.type.js";

@Resolver(() => Artist)
export class ArtistFields {
  @FieldResolver(() => Tag, { nullable: true, description: "The artist's tag." })
  tag(@Root() artist: ArtistRecord, @Ctx() { loaders }: GraphQLContext): Promise<TagRecord | null> {
    return loaders.tagByName.load(artist.name);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who made the record." })
  creator(@Root() artist: ArtistRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(artist.creatorId);
  }

  @FieldResolver(() => String)
  otherNamesComma(@Root() artist: ArtistRecord): string {
    return artist.otherNames.join(",");
  }

  @FieldResolver(() => [ArtistUrl], { complexity: costOf(URLS), description: "Where the artist publishes, oldest entry first." })
  urls(
    @Root() artist: ArtistRecord,
    @First(URLS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<ArtistUrlRecord[]> {
    return loaders.artistUrls.load(wanted(URLS, artist, first));
  }

  @FieldResolver(() => String)
  async urlString(@Root() artist: ArtistRecord, @Ctx() { loaders }: GraphQLContext): Promise<string> {
    return (await loaders.artistUrls.load(wanted(URLS, artist, URLS.most))).map(writtenUrl).join("\n");
  }

  @FieldResolver(() => Boolean)
  isDeleted(@Root() artist: ArtistRecord): boolean {
    return !artist.isActive;
  }

  @FieldResolver(() => ArtistAbilities, { description: "What the viewer may do with it." })
  viewerCan(@Root() artist: ArtistRecord, @Ctx() { viewer }: GraphQLContext): ArtistAbilities {
    return {
      update: mayUpdate(viewer, artist),
      rename: mayRename(viewer, artist),
      delete: mayDelete(viewer, artist),
      ban: mayBan(viewer, artist),
    };
  }
}
