import { Bounded, URL_TEXTS } from "../shared/bounded.js";
import { ArtistVersionOrder } from "./artist.enums.js";
import {
  int,
  string,
  boolean,
  date,
  oneOf,
  ints,
  strings,
  allNullable,
  objectType,
  inputType,
} from "../shared/fields.js";

export const ArtistVersion = objectType("ArtistVersion", "A state that an artist had.", {
  id: int("Number of the version; pass it to `revertArtist`."),
  artistId: int("Number of the artist."),
  version: int("1 for the first state, then one more with each edit of the artist."),
  updaterId: int("Who made the edit."),
  updaterName: string("Name of who made the edit."),
  name: string("The name."),
  otherNames: strings("Other names."),
  groupName: string("Name of the group; empty for none."),
  urls: strings("URLs, with `-` before those out of use.", Bounded(URL_TEXTS)),
  isActive: boolean("False where the artist was deleted."),
  isBanned: boolean("Whether the artist was banned."),
  createdAt: date("When the edit was made."),
  updatedAt: date("When the version last changed; later than `createdAt` only where edits are merged."),
});

export const ArtistVersionSearch = inputType(
  "ArtistVersionSearch",
  "Which versions of artists to list.",
  allNullable({
    id: ints("Versions of these numbers."),
    artistId: ints("Versions of these artists."),
    name: string("Pattern of the name; `*` stands for anything."),
    updaterId: ints("Edits by these users."),
    updaterName: string("Edits by the user of this name."),
    isActive: boolean("Versions in which the artist was there, or deleted."),
    isBanned: boolean("Versions in which the artist was banned, or not."),
    order: oneOf(ArtistVersionOrder, "The order; newest first by default."),
  }),
);
