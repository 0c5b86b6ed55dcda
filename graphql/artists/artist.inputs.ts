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
  optionalInput,
} from "../shared/fields.js";

export const ArtistSearch = optionalInput("ArtistSearch", "Filters for the list of artists.", {
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

const artistAttributesInput = allNullable({
  otherNamesComma: string("Other names, separated by commas."),
  otherNames: strings("Other names, separated by spaces; used if `otherNamesComma` is absent."),
  groupName: string("Name of the group that the artist belongs to."),
  urlString: string("URLs, separated by spaces or line breaks, with `-` before inactive ones."),
  isActive: boolean("Ignored below Builder level."),
});

export const CreateArtistInput = inputType("CreateArtistInput", "A new artist.", {
  ...artistAttributesInput,
  name: string("The name. A tag with this name becomes the artist's tag."),
});

export const UpdateArtistInput = inputType("UpdateArtistInput", "An edit of an artist. Absent fields do not change.", {
  ...artistAttributesInput,
  id: int("ID of the artist."),
  name: nullable(string("The new name. Only Admins can rename a banned artist.")),
});
