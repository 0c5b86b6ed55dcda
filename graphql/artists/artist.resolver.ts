import type { Version } from "../../src/resources/histories.js";
import { mayBan, mayDelete, mayEdit, mayRename } from "../../src/resources/artists/artist.policy.js";
import { type ArtistRecord, writtenUrl } from "../../src/resources/artists/artist.records.js";
import { Bounded, URL_TEXTS, URLS, wanted } from "../shared/bounded.js";
import { editsOf } from "../shared/edits.js";
import {
  allNullable,
  boolean,
  date,
  enumType,
  int,
  ints,
  nested,
  nullable,
  objectType,
  oneOf,
  optionalInput,
  SeparatedByBlanks,
  string,
  strings,
} from "../shared/fields.js";
import { list, one, resolversOf } from "../shared/operations.js";
import { abilities, computed, records, relation } from "../shared/record-fields.js";
import { versionsOf } from "../shared/versions.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";

const Artist = objectType("Artist", "An artist: their names and the URLs where they publish.", {
  id: int("ID of the artist."),
  name: string("The name, which is also the name of the artist's tag."),
  creatorId: int("The user who created the record."),
  creatorName: string("Name of the user who created the record."),
  otherNames: strings("Other names, with underscores instead of spaces."),
  groupName: string("Name of the group that the artist belongs to; empty if there is none."),
  isActive: boolean("False if deleted."),
  isBanned: boolean("Whether the artist is banned, and all their posts with them."),
  createdAt: date("When the record was created."),
  updatedAt: date("When it was last updated."),
});

const ArtistUrl = objectType("ArtistUrl", "A URL where an artist publishes.", {
  id: int("ID of the URL. It does not change as long as the artist keeps the URL."),
  artistId: int("ID of the artist."),
  url: string("The URL as entered."),
  normalizedUrl: string("The normalized URL that searches compare: http, without mirrors, with one trailing slash."),
  isActive: boolean("False if the artist no longer uses it."),
  createdAt: date("When it was added."),
  updatedAt: date("When it was last updated."),
});

const ArtistOrder = enumType("ArtistOrder", "Sort orders of artists.", {
  NAME: ["name", "By name."],
  DATE: ["date", "Newest first."],
  UPDATED_AT: ["updated_at", "Most recently updated first."],
  POST_COUNT: ["post_count", "Most posts first."],
});

const ArtistSearch = optionalInput("ArtistSearch", "Filters for the list of artists.", {
  id: ints("Artists with these IDs."),
  name: string(
    "A URL of the artist or one below it; `name:` with a pattern of the name; `other:` with one of the other names; " +
      "`group:` with a pattern of the group; `status:banned`; `status:active`; otherwise the name or one of the other names.",
  ),
  anyNameMatches: string("Name, other name or group; `*` matches anything."),
  urlMatches: string(
    "A URL of the artist or one below it; otherwise text contained in a URL; with `*`, a pattern that matches the whole URL.",
  ),
  groupName: string("Pattern of the group name; `*` matches anything."),
  creatorName: string("Artists created by the user with this name."),
  creatorId: ints("Artists created by these users."),
  isActive: boolean("Only active (true) or deleted (false) artists."),
  isDeleted: boolean("Only deleted (true) or active (false) artists."),
  isBanned: boolean("Only artists that are banned (true) or not (false)."),
  emptyOnly: boolean("Only artists without posts."),
  order: oneOf(ArtistOrder, "The sort order; newest first by default."),
});

const attributes = allNullable({
  otherNamesComma: string("Other names, separated by commas."),
  otherNames: strings("Other names; used if `otherNamesComma` is absent.", SeparatedByBlanks()),
  groupName: string("Name of the group that the artist belongs to."),
  urlString: string("URLs, separated by spaces or line breaks, with `-` before inactive ones."),
  isActive: boolean("Ignored below Builder level."),
});

const edits = editsOf(Artist, ({ artists }) => artists);

resolversOf(Artist, {
  artists: list({
    of: Artist,
    description: "Lists artists, newest first.",
    search: [ArtistSearch, "Filters for the list of artists."],
    find: ({ board }, search, page) => board.artists.search(search, page),
  }),

  bannedArtists: list({
    of: Artist,
    description: "Lists banned artists, by name unless the filters specify another order.",
    search: [ArtistSearch, "Filters for the list of banned artists."],
    find: ({ board }, search, page) => board.artists.searchBanned(search, page),
  }),

  artistUrls: list({
    of: ArtistUrl,
    description: "Lists URLs of artists, newest first.",
    search: {
      id: ints("URLs with these IDs."),
      artistId: ints("URLs of these artists."),
      urlMatches: string("This URL, ignoring case; with `*`, a pattern that matches the whole URL."),
      isActive: boolean("Only active (true) or inactive (false) URLs."),
    },
    find: ({ board }, search, page) => board.artists.searchUrls(search, page),
  }),

  artist: one({ of: Artist, description: "One artist.", id: "ID of the artist." }),

  createArtist: edits.create("Creates an artist.", {
    ...attributes,
    name: string("The name. A tag with this name becomes the artist's tag."),
  }),
  updateArtist: edits.update("Edits an artist.", {
    ...attributes,
    name: nullable(string("The new name. Only Admins can rename a banned artist.")),
  }),
  deleteArtist: edits.act("delete", "Deletes an artist and keeps its history.", null),
  undeleteArtist: edits.act("undelete", "Restores a deleted artist.", null),
  revertArtist: edits.revert("Reverts an artist to an earlier version. Bans are not reverted."),
  banArtist: edits.act(
    "ban",
    "Bans an artist: bans all their posts, at once or soon if there are many, and adds the tag `banned_artist`, which the artist's tag implies from then on.",
    null,
  ),
  unbanArtist: edits.act("unban", "Unbans an artist and their posts.", null),

  creator: relation(() => User, "The user who created the record."),
  urls: records(() => ArtistUrl, "artistUrls", "URLs where the artist publishes, oldest first.", { bound: URLS }),
  tag: computed(nullable(nested(() => Tag, "The artist's tag.")), (artist: ArtistRecord, { loaders }) =>
    loaders.tagByName.load(artist.name),
  ),
  isDeleted: computed(boolean("Whether it is deleted."), (artist: ArtistRecord) => !artist.isActive),

  otherNamesComma: computed(
    string("The other names, separated by commas, in the format that `updateArtist` takes."),
    (artist: ArtistRecord) => artist.otherNames.join(","),
  ),

  urlString: computed(
    string("The URLs, one per line, with `-` before inactive ones, in the format that `updateArtist` takes."),
    async (artist: ArtistRecord, { loaders }) =>
      (await loaders.artistUrls.load(wanted(URLS, artist, URLS.most))).map(writtenUrl).join("\n"),
  ),

  viewerCan: abilities("an artist", {
    update: [mayEdit, "Edit and revert the artist."],
    rename: [mayRename, "Rename the artist."],
    delete: [mayDelete, "Delete and restore the artist."],
    ban: [mayBan, "Ban and unban the artist."],
  }),
});

const ArtistVersionOrder = enumType("ArtistVersionOrder", "Sort orders of artist versions.", {
  NAME: ["name", "By name, newest first."],
  DATE: ["date", "Newest first."],
});

versionsOf(Artist, {
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
