/** The fields of an artist that are more than a column. */
import { mayBan, mayDelete, mayRename, mayUpdate } from "../../src/resources/artists/artist.policy.js";
import { type ArtistRecord, writtenUrl } from "../../src/resources/artists/artist.records.js";
import { URLS, wanted } from "../shared/bounded.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";
import { ArtistUrl } from "./artist-url.type.js";
import { Artist } from "./artist.type.js";
import { resolver, relation, records, abilities, computed } from "../shared/operations.js";
import { string, boolean, nested, nullable } from "../shared/fields.js";

export const ArtistFields = resolver(Artist, {
  creator: relation(() => User, "Who made the record."),

  urls: records(() => ArtistUrl, "artistUrls", "Where the artist publishes, oldest entry first.", URLS),

  viewerCan: abilities("an artist", {
    update: [mayUpdate, "Change what is known, and revert it."],
    rename: [mayRename, "Give another name."],
    delete: [mayDelete, "Take it away and bring it back."],
    ban: [mayBan, "Ban it, and take a ban back."],
  }),

  tag: computed(nullable(nested(() => Tag, "The artist's tag.")), (artist: ArtistRecord, { loaders }) =>
    loaders.tagByName.load(artist.name),
  ),

  otherNamesComma: computed(
    string("The other names, separated by commas, as `updateArtist` takes them."),
    (artist: ArtistRecord) => artist.otherNames.join(","),
  ),

  urlString: computed(
    string("The URLs, one a line, with `-` before those out of use, as `updateArtist` takes them."),
    async (artist: ArtistRecord, { loaders }) =>
      (await loaders.artistUrls.load(wanted(URLS, artist, URLS.most))).map(writtenUrl).join("\n"),
  ),

  isDeleted: computed(boolean("Whether it is deleted."), (artist: ArtistRecord) => !artist.isActive),
});
