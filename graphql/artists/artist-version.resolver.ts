import { FieldResolver, Resolver, Root } from "type-graphql";
import type { ArtistVersionRecord } from "../../src/resources/artists/artist.versions.js";
import { User } from "../users/user.type.js";
import { ArtistVersion, ArtistVersionSearch } from "./artist-version.type.js";
import { Artist } from "./artist.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

export const ArtistVersionOperations = resolver(ArtistVersion, {
artistVersions: list({ of: ArtistVersion, description: "Lists versions of artists, newest first.", allow: anybody, search: [ArtistVersionSearch, "Which versions to list."], find: ({ board }, search, page) => board.artistVersions.search(search, page) }),

artistVersion: one({ of: ArtistVersion, description: "One version of an artist.", id: "Number of the version.", allow: anybody }),

artist: relation(() => Artist, "The artist as it is now."),

updater: relation(() => User, "Who made the edit."),
});

@Resolver(() => ArtistVersion)
export class ArtistVersionResolver {

  @FieldResolver(() => String)
  urlString(@Root() version: ArtistVersionRecord): string {
    return version.urls.join("\n");
  }

  @FieldResolver(() => Boolean)
  isDeleted(@Root() version: ArtistVersionRecord): boolean {
    return !version.isActive;
  }
}
