/** The history of a note, and the notes of a post. */
import { Post } from "../posts/post.type.js";
import { NoteVersions } from "./note-version.js";
import { Note } from "./note.type.js";
import { resolver, records } from "../shared/operations.js";

export const NoteFields = resolver(Note, {
  versions: records(() => NoteVersions.type, "noteVersions", "Its newest versions, newest first."),
});

export const PostNotes = resolver(Post, {
  notes: records(() => Note, "postNotes", "The newest notes on it, newest first, without deleted ones."),
});
