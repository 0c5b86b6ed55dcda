import { int, string, boolean, date, ints, allNullable, objectType, inputType } from "../shared/fields.js";

export const NoteVersion = objectType("NoteVersion", "A state that a note had.", {
  id: int("Number of the version; pass it to `revertNote`."),
  noteId: int("Number of the note."),
  postId: int("Number of the post."),
  version: int("1 for the first state, then one more with each edit of the note."),
  updaterId: int("Who made the edit."),
  updaterName: string("Name of who made the edit."),
  x: int("Left edge in pixels."),
  y: int("Top edge in pixels."),
  width: int("Width in pixels."),
  height: int("Height in pixels."),
  body: string("The text."),
  isActive: boolean("False where the edit deleted it."),
  createdAt: date("When the edit was made."),
  updatedAt: date("When the version last changed; later than `createdAt` only where edits are merged."),
});

export const NoteVersionSearch = inputType(
  "NoteVersionSearch",
  "Which versions of notes to list.",
  allNullable({
    id: ints("Versions of these numbers."),
    noteId: ints("Versions of these notes."),
    postId: ints("Versions of notes on these posts."),
    updaterId: ints("Edits by these users."),
    updaterName: string("Edits by the user of this name."),
  }),
);
