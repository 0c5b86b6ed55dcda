import type { Version } from "../../src/resources/histories.js";
import { Bounded, URL_TEXTS } from "../shared/bounded.js";
import { boolean, oneOf, string, strings } from "../shared/fields.js";
import { computed } from "../shared/operations.js";
import { versionsOf } from "../shared/versions.js";
import { ArtistVersionOrder } from "./artist.enums.js";
import { Artist } from "./artist.type.js";

export const ArtistVersions = versionsOf(Artist, {
  words: ["artist", "artists"],
  fields: {
    name: string("The name."),
    otherNames: strings("Other names."),
    groupName: string("Name of the group; empty if there is none."),
    urls: strings("The URLs, with `-` before inactive ones.", Bounded(URL_TEXTS)),
    isActive: boolean("False if the artist was deleted."),
    isBanned: boolean("Whether the artist was banned."),
  },
  search: {
    name: string("Pattern of the name; `*` matches anything."),
    isActive: boolean("Versions in which the artist was active (true) or deleted (false)."),
    isBanned: boolean("Versions in which the artist was banned (true) or not (false)."),
    order: oneOf(ArtistVersionOrder, "The sort order; newest first by default."),
  },
  members: {
    urlString: computed(string("The URLs, one per line."), ({ urls }: Version<"artist">) => urls.join("\n")),
    isDeleted: computed(boolean("Whether the artist was deleted."), ({ isActive }: Version<"artist">) => !isActive),
  },
});
