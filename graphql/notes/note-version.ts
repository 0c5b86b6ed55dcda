import { boolean, int, ints, string } from "../shared/fields.js";
import { versionsOf } from "../shared/versions.js";
import { Note } from "./note.type.js";

export const NoteVersions = versionsOf(Note, {
  words: ["note", "notes"],
  fields: {
    postId: int("ID of the post."),
    x: int("Left edge in pixels."),
    y: int("Top edge in pixels."),
    width: int("Width in pixels."),
    height: int("Height in pixels."),
    body: string("The text."),
    isActive: boolean("False if the edit deleted it."),
  },
  search: { postId: ints("Versions of notes on these posts.") },
});
