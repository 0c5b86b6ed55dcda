import { int, string, boolean, date, strings, objectType } from "../shared/fields.js";

export const Artist = objectType("Artist", "An artist: their names and the URLs where they publish.", {
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

export const ArtistUrl = objectType("ArtistUrl", "A URL where an artist publishes.", {
  id: int("ID of the URL. It does not change as long as the artist keeps the URL."),
  artistId: int("ID of the artist."),
  url: string("The URL as entered."),
  normalizedUrl: string("The normalized URL that searches compare: http, without mirrors, with one trailing slash."),
  isActive: boolean("False if the artist no longer uses it."),
  createdAt: date("When it was added."),
  updatedAt: date("When it was last updated."),
});
