import type { NoteCopy } from "../../src/resources/notes/note.copy.js";
import { mayEdit } from "../../src/resources/notes/note.policy.js";
import type { NoteRecord } from "../../src/resources/notes/note.records.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import { renderStored } from "../../src/text/rendered.js";
import { Post } from "../posts/post.type.js";
import { editsOf } from "../shared/edits.js";
import {
  allNullable,
  boolean,
  int,
  ints,
  nested,
  nullable,
  objectType,
  optionalInput,
  string,
} from "../shared/fields.js";
import { list, mutation, one, resolversOf } from "../shared/operations.js";
import { abilities, computed, records, recordsBy, relation } from "../shared/record-fields.js";
import { versionsOf } from "../shared/versions.js";
import { User } from "../users/user.type.js";
import { Note } from "./note.type.js";

const NoteSearch = optionalInput("NoteSearch", "Filters for the list of notes.", {
  id: ints("Notes with these IDs."),
  bodyMatches: string("Words of the text; with `*`, a pattern that matches the whole text."),
  postId: ints("Notes of these posts."),
  postTagsMatch: string("Notes of posts with these tags; no meta-tags."),
  creatorName: string("Notes created by the user with this name."),
  creatorId: ints("Notes created by these users."),
  isActive: boolean("Only active (true) or deleted (false) notes."),
});

const rectangle = {
  x: int("Left edge, in pixels of the original picture."),
  y: int("Top edge, in pixels of the original picture."),
  width: int("Width in pixels."),
  height: int("Height in pixels."),
  body: string("The text."),
};

const edits = editsOf(Note, ({ notes }) => notes);

resolversOf(Note, {
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

  createNote: edits.create("Creates a note on a post.", { postId: int("ID of the post."), ...rectangle }),
  updateNote: edits.update("Edits a note.", allNullable(rectangle)),
  deleteNote: edits.act("delete", "Deletes a note and keeps its history."),
  revertNote: edits.revert("Reverts a note to an earlier version."),

  post: relation(() => Post, "The post."),
  creator: relation(() => User, "The user who created it."),
  bodyHtml: computed(string("The text as sanitized HTML."), (note: NoteRecord) => renderStored(note.body)),
  versions: records(() => NoteVersions, "noteVersions", "Its newest versions, newest first."),

  viewerCan: abilities("a note", {
    update: [mayEdit, "Move it and edit its text."],
    delete: [mayEdit, "Delete it."],
  }),
});

const NoteVersions = versionsOf(Note, {
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

resolversOf(Post, {
  notes: records(() => Note, "postNotes", "The newest notes, newest first, without deleted ones.", {
    hasNone: ({ lastNotedAt }: PostRecord) => lastNotedAt === null,
  }),
});

const CopyNotesPayload = objectType("CopyNotesPayload", "The new notes and their post.", {
  post: nested(() => Post, "The post that the notes were copied to."),
});

resolversOf(CopyNotesPayload, {
  copyNotes: mutation({
    description: "Copies the notes of a post to another post, scaled to the size of its picture.",
    limited: "recordEdit",
    input: [
      { id: int("ID of the post to copy the notes from."), otherPostId: int("ID of the post to copy the notes to.") },
      "Input of `copyNotes`: the source and target posts.",
      "The two posts.",
    ],
    payload: CopyNotesPayload,
    resolve: (context, { id, otherPostId }) => context.board.noteCopies.copy(context, id, otherPostId),
  }),

  notes: recordsBy(
    () => Note,
    ({ noteIds }: NoteCopy) => noteIds,
    "The new notes, in the order of the originals.",
  ),
});
