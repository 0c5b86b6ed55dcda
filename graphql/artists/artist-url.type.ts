import { int, string, boolean, date, ints, objectType, optionalInput } from "../shared/fields.js";

export const ArtistUrl = objectType("ArtistUrl", "A URL where an artist publishes.", {
  id: int("ID of the URL. It does not change as long as the artist keeps the URL."),
  artistId: int("ID of the artist."),
  url: string("The URL as entered."),
  normalizedUrl: string("The normalized URL that searches compare: http, without mirrors, with one trailing slash."),
  isActive: boolean("False if the artist no longer uses it."),
  createdAt: date("When it was added."),
  updatedAt: date("When it was last updated."),
});

export const ArtistUrlSearch = optionalInput("ArtistUrlSearch", "Filters for the list of URLs of artists.", {
  id: ints("URLs with these IDs."),
  artistId: ints("URLs of these artists."),
  urlMatches: string("This URL, ignoring case; with `*`, a pattern that matches the whole URL."),
  isActive: boolean("Only active (true) or inactive (false) URLs."),
});
