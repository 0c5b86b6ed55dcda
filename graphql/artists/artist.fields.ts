/** The fields of an artist that are more than a column. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { mayBan, mayDelete, mayRename, mayUpdate } from "../../src/resources/artists/artist.policy.js";
import { type ArtistRecord, writtenUrl } from "../../src/resources/artists/artist.records.js";
import type { TagRecord } from "../../src/resources/tags/tag.service.js";
import type { GraphQLContext } from "../context.js";
import { URLS, wanted } from "../shared/bounded.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";
import { ArtistUrl } from "./artist-url.type.js";
import { Artist } from "./artist.type.js";
import { resolver, relation, records, abilities } from "../shared/operations.js";

export const ArtistRelations = resolver(Artist, {
creator: relation(() => User, "Who made the record."),

urls: records(() => ArtistUrl, "artistUrls", "Where the artist publishes, oldest entry first.", URLS),

viewerCan: abilities("an artist", {
update: [mayUpdate, "Change what is known, and revert it."],
rename: [mayRename, "Give another name."],
delete: [mayDelete, "Take it away and bring it back."],
ban: [mayBan, "Ban it, and take a ban back."],
}),
});

@Resolver(() => Artist)
export class ArtistFields {
  @FieldResolver(() => Tag, { nullable: true, description: "The artist's tag." })
  tag(@Root() artist: ArtistRecord, @Ctx() { loaders }: GraphQLContext): Promise<TagRecord | null> {
    return loaders.tagByName.load(artist.name);
  }

  @FieldResolver(() => String)
  otherNamesComma(@Root() artist: ArtistRecord): string {
    return artist.otherNames.join(",");
  }

  @FieldResolver(() => String)
  async urlString(@Root() artist: ArtistRecord, @Ctx() { loaders }: GraphQLContext): Promise<string> {
    return (await loaders.artistUrls.load(wanted(URLS, artist, URLS.most))).map(writtenUrl).join("\n");
  }

  @FieldResolver(() => Boolean)
  isDeleted(@Root() artist: ArtistRecord): boolean {
    return !artist.isActive;
  }
}
