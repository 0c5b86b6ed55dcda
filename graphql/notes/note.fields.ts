/** The history of a note, and the notes of a post. */
import type { NoteRecord } from "../../src/resources/notes/note.records.js";
import { renderDText } from "../../src/text/dtext.js";
import { string } from "../shared/fields.js";
import { Post } from "../posts/post.type.js";
import { NoteVersions } from "./note-version.js";
import { Note } from "./note.type.js";
import { computed, resolver, records } from "../shared/operations.js";

export const NoteFields = resolver(Note, {
  bodyHtml: computed(string("The text as sanitized HTML."), (note: NoteRecord) => renderDText(note.body)),

  versions: records(() => NoteVersions.type, "noteVersions", "Its newest versions, newest first."),
});

export const PostNotes = resolver(Post, {
  notes: records(() => Note, "postNotes", "The newest notes, newest first, without deleted ones."),
});
