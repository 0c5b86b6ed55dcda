import { int, string, date, ints, allNullable, objectType, inputType } from "../shared/fields.js";

export const ArtistCommentaryVersion = objectType(
  "ArtistCommentaryVersion",
  "A state that an artist's commentary had.",
  {
    id: int("Number of the version; pass it to `revertArtistCommentary`."),
    artistCommentaryId: int("Number of the commentary."),
    postId: int("Number of the post."),
    version: int("1 for the first state, then one more with each edit of the commentary."),
    updaterId: int("Who made the edit."),
    updaterName: string("Name of who made the edit."),
    originalTitle: string("The title in the artist's words."),
    originalDescription: string("The description in the artist's words."),
    translatedTitle: string("The title in English."),
    translatedDescription: string("The description in English."),
    createdAt: date("When the edit was made."),
    updatedAt: date("When the version last changed; later than `createdAt` only where edits are merged."),
  },
);

export const ArtistCommentaryVersionSearch = inputType(
  "ArtistCommentaryVersionSearch",
  "Which versions of artists' commentaries to list.",
  allNullable({
    id: ints("Versions of these numbers."),
    postId: ints("Versions of the commentaries on these posts."),
    updaterId: ints("Edits by these users."),
    updaterName: string("Edits by the user of this name."),
  }),
);
