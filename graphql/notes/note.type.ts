import { int, string, boolean, date, ints, allNullable, objectType, inputType, idInput } from "../shared/fields.js";

export const Note = objectType("Note", "A translation or remark in a rectangle on a post's picture.", {
  id: int("Number of the note."),
  postId: int("Number of the post."),
  creatorId: int("Who made it."),
  creatorName: string("Name of who made it."),
  x: int("Left edge, in pixels of the original picture."),
  y: int("Top edge, in pixels of the original picture."),
  width: int("Width in pixels of the original picture."),
  height: int("Height in pixels of the original picture."),
  body: string("The text as it was written; whoever shows it must sanitise it."),
  isActive: boolean("False after it was deleted."),
  version: int("Number of its latest version."),
  createdAt: date("When it was made."),
  updatedAt: date("When it last changed."),
});

export const NoteSearch = inputType(
  "NoteSearch",
  "Which notes to list.",
  allNullable({
    id: ints("Notes of these numbers."),
    bodyMatches: string("Words of the text; with `*` a pattern of the whole text."),
    postId: ints("Notes of these posts."),
    postTagsMatch: string("Notes of posts with these tags; no meta-tags."),
    creatorName: string("Notes made by the user of this name."),
    creatorId: ints("Notes made by these users."),
    isActive: boolean("Notes that are there, or that were deleted."),
  }),
);
export type NoteSearch = InstanceType<typeof NoteSearch>;

export const CreateNoteInput = inputType("CreateNoteInput", "A new note.", {
  postId: int("Number of the post."),
  x: int("Left edge, in pixels of the original picture."),
  y: int("Top edge, in pixels of the original picture."),
  width: int("Width in pixels."),
  height: int("Height in pixels."),
  body: string("The text."),
});

export const UpdateNoteInput = inputType("UpdateNoteInput", "An edit of a note. What is absent stays as it is.", {
  id: int("Number of the note."),
  ...allNullable({
    x: int("Left edge, in pixels of the original picture."),
    y: int("Top edge, in pixels of the original picture."),
    width: int("Width in pixels."),
    height: int("Height in pixels."),
    body: string("The text."),
  }),
});

export const DeleteNoteInput = idInput("DeleteNoteInput", "Which note to delete.", "Number of the note.");

export const RevertNoteInput = inputType("RevertNoteInput", "Which version a note goes back to.", {
  id: int("Number of the note."),
  versionId: int("Number of the version, which must be one of this note."),
});
