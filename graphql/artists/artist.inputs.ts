import { ArtistOrder } from "./artist.enums.js";
import {
  int,
  string,
  boolean,
  oneOf,
  ints,
  strings,
  nullable,
  allNullable,
  inputType,
  idInput,
} from "../shared/fields.js";

export const ArtistSearch = inputType(
  "ArtistSearch",
  "Which artists to list.",
  allNullable({
    id: ints("Artists of these numbers."),
    name: string(
      "A URL of the artist, or one below it; `name:` and a pattern of the name; `other:` and one of the other names; " +
        "`group:` and a pattern of the group; `status:banned`; `status:active`; else the name or one of the other names.",
    ),
    anyNameMatches: string("Name, other name or group; `*` stands for anything."),
    urlMatches: string(
      "A URL of the artist, or one below it; else a part of a URL; with `*` a pattern of the whole URL.",
    ),
    groupName: string("Pattern of the group; `*` stands for anything."),
    creatorName: string("Artists whose record the user of this name made."),
    creatorId: ints("Artists whose record these users made."),
    isActive: boolean("Artists that are there, or that were deleted."),
    isDeleted: boolean("Artists that were deleted, or that are there."),
    isBanned: boolean("Artists that are banned, or that are not."),
    emptyOnly: boolean("Only artists without posts."),
    order: oneOf(ArtistOrder, "The order; newest first by default."),
  }),
);

const artistAttributesInput = allNullable({
  otherNamesComma: string("Other names, separated by commas."),
  otherNames: strings("Other names, in which a blank separates two; heeded without `otherNamesComma`."),
  groupName: string("Name of the group that the artist belongs to."),
  urlString: string("URLs, separated by blanks or line breaks, with `-` before those out of use."),
  isActive: boolean("Heeded from Builder on."),
});

export const CreateArtistInput = inputType("CreateArtistInput", "A new artist.", {
  ...artistAttributesInput,
  name: string("The name; a tag of this name becomes the artist's."),
});

export const UpdateArtistInput = inputType(
  "UpdateArtistInput",
  "An edit of an artist. What is absent stays as it is.",
  {
    ...artistAttributesInput,
    id: int("Number of the artist."),
    name: nullable(string("Another name; that of a banned artist only Admins change.")),
  },
);

export const DeleteArtistInput = idInput("DeleteArtistInput", "Which artist to delete.", "Number of the artist.");

export const UndeleteArtistInput = idInput(
  "UndeleteArtistInput",
  "Which artist to bring back.",
  "Number of the artist.",
);

export const BanArtistInput = idInput("BanArtistInput", "Which artist to ban.", "Number of the artist.");

export const UnbanArtistInput = idInput(
  "UnbanArtistInput",
  "Which artist's ban to take back.",
  "Number of the artist.",
);

export const RevertArtistInput = inputType("RevertArtistInput", "Which version an artist goes back to.", {
  id: int("Number of the artist."),
  versionId: int("Number of the version, which must be one of this artist."),
});
