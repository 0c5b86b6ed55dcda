import type { ArtistVersionRecord } from "../../src/resources/artists/artist.versions.js";
import { User } from "../users/user.type.js";
import { ArtistVersion, ArtistVersionSearch } from "./artist-version.type.js";
import { Artist } from "./artist.type.js";
import { resolver, list, one, relation, computed } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";
import { string, boolean } from "../shared/fields.js";

export const ArtistVersionResolver = resolver(ArtistVersion, {
  artistVersions: list({
    of: ArtistVersion,
    description: "Lists versions of artists, newest first.",
    allow: anybody,
    search: [ArtistVersionSearch, "Which versions to list."],
    find: ({ board }, search, page) => board.artistVersions.search(search, page),
  }),

  artistVersion: one({
    of: ArtistVersion,
    description: "One version of an artist.",
    id: "Number of the version.",
    allow: anybody,
  }),

  artist: relation(() => Artist, "The artist as it is now."),

  updater: relation(() => User, "Who made the edit."),

  urlString: computed(string("The URLs, one a line."), (version: ArtistVersionRecord) => version.urls.join("\n")),

  isDeleted: computed(boolean("Whether the artist was deleted."), (version: ArtistVersionRecord) => !version.isActive),
});
