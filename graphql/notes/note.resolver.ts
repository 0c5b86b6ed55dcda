import { revertTo } from "../shared/versions.js";
import { mayDelete, mayUpdate } from "../../src/resources/notes/note.policy.js";
import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { CreateNoteInput, Note, NoteSearch, UpdateNoteInput } from "./note.type.js";
import { resolver, one, mutation, relation, abilities, list } from "../shared/operations.js";
import { string, nullable, int } from "../shared/fields.js";

export const NoteResolver = resolver(Note, {
  notes: list({
    of: Note,
    description: "Lists notes, newest first.",
    search: [NoteSearch, "Filters for the list of notes."],
    find: ({ board }, search, page) => board.notes.search(search, page),
  }),

  notedPosts: list({
    of: Post,
    description: "Lists posts with notes, most recently annotated first.",
    search: [NoteSearch, "Filters for notes, of which a post must match at least one."],
    args: { tags: nullable(string("Tags of the posts; no meta-tags.")) },
    find: ({ board }, search, page, { tags }) => board.notes.searchPosts(search, tags ?? null, page),
  }),

  note: one({ of: Note, description: "One note.", id: "ID of the note." }),

  createNote: mutation({
    description: "Creates a note on a post.",
    limited: "recordEdit",
    input: [CreateNoteInput, "The note."],
    payload: [Note, "The new note."],
    resolve: (context, input) => context.board.notes.create(context, input),
  }),

  updateNote: mutation({
    description: "Edits a note.",
    limited: "recordEdit",
    input: [UpdateNoteInput, "The edit."],
    payload: [Note, "The note after the edit."],
    resolve: (context, { id, ...edit }) => context.board.notes.update(context, id, edit),
  }),

  deleteNote: mutation({
    description: "Deletes a note and keeps its history.",
    limited: "recordEdit",
    input: [{ id: int("ID of the note.") }, "The note to delete.", "The note."],
    payload: [Note, "The deleted note."],
    resolve: (context, { id }) => context.board.notes.delete(context, id),
  }),

  revertNote: mutation({
    description: "Reverts a note to an earlier version.",
    limited: "recordEdit",
    input: [revertTo("note"), "The version to revert to.", "The note and the version."],
    payload: [Note, "The note after the revert."],
    resolve: (context, { id, versionId }) => context.board.notes.revert(context, id, versionId),
  }),

  post: relation(() => Post, "The post."),

  creator: relation(() => User, "The user who created it."),

  viewerCan: abilities("a note", {
    update: [mayUpdate, "Move it and edit its text."],
    delete: [mayDelete, "Delete it."],
  }),
});
