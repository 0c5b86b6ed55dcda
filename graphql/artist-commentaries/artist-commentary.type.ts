import { int, string, boolean, date, ints, allNullable, objectType, inputType } from "../shared/fields.js";

export const ArtistCommentary = objectType(
  "ArtistCommentary",
  "What the artist wrote about a picture, and a translation of it. One for each post.",
  {
    id: int("Number of the commentary."),
    postId: int("Number of the post."),
    originalTitle: string("The title in the artist's words; empty for none."),
    originalDescription: string("The description in the artist's words; empty for none."),
    translatedTitle: string("The title in English; empty for none."),
    translatedDescription: string("The description in English; empty for none."),
    createdAt: date("When it was written."),
    updatedAt: date("When it last changed."),
  },
);

export const ArtistCommentarySearch = inputType(
  "ArtistCommentarySearch",
  "Which commentaries to list.",
  allNullable({
    id: ints("Commentaries of these numbers."),
    postId: ints("Commentaries on these posts."),
    textMatches: string("A part of one of the four texts, in any case; with `*` a pattern of a whole text."),
    postTagsMatch: string("Commentaries on posts with these tags; no meta-tags."),
    originalPresent: boolean("Those with (or without) an original title or description."),
    translatedPresent: boolean("Those with (or without) a translated title or description."),
  }),
);

export const CreateOrUpdateArtistCommentaryInput = inputType(
  "CreateOrUpdateArtistCommentaryInput",
  "The commentary of a post. What is absent stays as it is, or empty where there is none yet.",
  {
    postId: int("Number of the post."),
    ...allNullable({
      originalTitle: string("The title in the artist's words."),
      originalDescription: string("The description in the artist's words."),
      translatedTitle: string("The title in English."),
      translatedDescription: string("The description in English."),
    }),
  },
);

export const RevertArtistCommentaryInput = inputType(
  "RevertArtistCommentaryInput",
  "Which version the commentary of a post goes back to.",
  {
    postId: int("Number of the post, not of the commentary."),
    versionId: int("Number of the version, which must be one of the post's commentary."),
  },
);
