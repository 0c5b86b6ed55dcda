import {
  int,
  string,
  boolean,
  date,
  ints,
  allNullable,
  objectType,
  inputType,
  optionalInput,
} from "../shared/fields.js";

export const ArtistCommentary = objectType(
  "ArtistCommentary",
  "An artist's commentary on their work, with a translation. Each post has at most one.",
  {
    id: int("ID of the commentary."),
    postId: int("ID of the post."),
    originalTitle: string("The original title; empty if there is none."),
    originalDescription: string("The original description; empty if there is none."),
    translatedTitle: string("The translated title; empty if there is none."),
    translatedDescription: string("The translated description; empty if there is none."),
    createdAt: date("When it was created."),
    updatedAt: date("When it was last updated."),
  },
);

export const ArtistCommentarySearch = optionalInput("ArtistCommentarySearch", "Filters for the list of commentaries.", {
  id: ints("Commentaries with these IDs."),
  postId: ints("Commentaries on these posts."),
  textMatches: string(
    "Text contained in one of the four texts, ignoring case; with `*`, a pattern that matches a whole text.",
  ),
  postTagsMatch: string("Commentaries on posts with these tags; no meta-tags."),
  originalPresent: boolean("Only commentaries with (true) or without (false) an original title or description."),
  translatedPresent: boolean("Only commentaries with (true) or without (false) a translated title or description."),
});

export const CreateOrUpdateArtistCommentaryInput = inputType(
  "CreateOrUpdateArtistCommentaryInput",
  "A post's commentary. Absent fields keep their value, or stay empty for a new commentary.",
  {
    postId: int("ID of the post."),
    ...allNullable({
      originalTitle: string("The original title."),
      originalDescription: string("The original description."),
      translatedTitle: string("The translated title."),
      translatedDescription: string("The translated description."),
    }),
  },
);

export const RevertArtistCommentaryInput = inputType("RevertArtistCommentaryInput", "The version to revert to.", {
  postId: int("ID of the post, not of the commentary."),
  versionId: int("ID of the version, which must belong to the post's commentary."),
});
