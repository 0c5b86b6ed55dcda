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
  creator: relation(() => User, "The user who created the record."),

  urls: records(() => ArtistUrl, "artistUrls", "URLs where the artist publishes, oldest first.", URLS),

  viewerCan: abilities("an artist", {
    update: [mayUpdate, "Edit and revert the artist."],
    rename: [mayRename, "Rename the artist."],
    delete: [mayDelete, "Delete and restore the artist."],
    ban: [mayBan, "Ban and unban the artist."],
  }),

  tag: computed(nullable(nested(() => Tag, "The artist's tag.")), (artist: ArtistRecord, { loaders }) =>
    loaders.tagByName.load(artist.name),
  ),

  otherNamesComma: computed(
    string("The other names, separated by commas, in the format that `updateArtist` takes."),
    (artist: ArtistRecord) => artist.otherNames.join(","),
  ),

  urlString: computed(
    string("The URLs, one per line, with `-` before inactive ones, in the format that `updateArtist` takes."),
    async (artist: ArtistRecord, { loaders }) =>
      (await loaders.artistUrls.load(wanted(URLS, artist, URLS.most))).map(writtenUrl).join("\n"),
  ),

  isDeleted: computed(boolean("Whether it is deleted."), (artist: ArtistRecord) => !artist.isActive),
});
