import { boolean, date, int, objectType, string } from "../shared/fields.js";

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
