import { int, string, boolean, date, ints, allNullable, objectType, inputType } from "../shared/fields.js";

export const ArtistUrl = objectType("ArtistUrl", "A place where an artist publishes.", {
  id: int("Number of the URL; it stays while the URL stays."),
  artistId: int("Number of the artist."),
  url: string("The URL as it was written."),
  normalizedUrl: string("The URL as searches compare it: http, without mirrors, one slash at the end."),
  isActive: boolean("False where it is out of use."),
  createdAt: date("When it was added."),
  updatedAt: date("When it last changed."),
});

export const ArtistUrlSearch = inputType(
  "ArtistUrlSearch",
  "Which URLs of artists to list.",
  allNullable({
    id: ints("URLs of these numbers."),
    artistId: ints("URLs of these artists."),
    urlMatches: string("This URL, in any case; with `*` a pattern of the whole URL."),
    isActive: boolean("URLs that are in use, or that are not."),
  }),
);
