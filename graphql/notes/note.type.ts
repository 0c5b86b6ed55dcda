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

export const Note = objectType("Note", "A translation or remark in a rectangle over a post's picture.", {
  id: int("ID of the note."),
  postId: int("ID of the post."),
  creatorId: int("The user who created it."),
  creatorName: string("Name of the user who created it."),
  x: int("Left edge, in pixels of the original picture."),
  y: int("Top edge, in pixels of the original picture."),
  width: int("Width in pixels of the original picture."),
  height: int("Height in pixels of the original picture."),
  body: string("The text as written; clients must sanitize it before display."),
  isActive: boolean("False if deleted."),
  version: int("Number of the latest version."),
  createdAt: date("When it was created."),
  updatedAt: date("When it was last updated."),
});

export const NoteSearch = optionalInput("NoteSearch", "Filters for the list of notes.", {
  id: ints("Notes with these IDs."),
  bodyMatches: string("Words of the text; with `*`, a pattern that matches the whole text."),
  postId: ints("Notes of these posts."),
  postTagsMatch: string("Notes of posts with these tags; no meta-tags."),
  creatorName: string("Notes created by the user with this name."),
  creatorId: ints("Notes created by these users."),
  isActive: boolean("Only active (true) or deleted (false) notes."),
});

export const CreateNoteInput = inputType("CreateNoteInput", "A new note.", {
  postId: int("ID of the post."),
  x: int("Left edge, in pixels of the original picture."),
  y: int("Top edge, in pixels of the original picture."),
  width: int("Width in pixels."),
  height: int("Height in pixels."),
  body: string("The text."),
});

export const UpdateNoteInput = inputType("UpdateNoteInput", "An edit of a note. Absent fields do not change.", {
  id: int("ID of the note."),
  ...allNullable({
    x: int("Left edge, in pixels of the original picture."),
    y: int("Top edge, in pixels of the original picture."),
    width: int("Width in pixels."),
    height: int("Height in pixels."),
    body: string("The text."),
  }),
});
