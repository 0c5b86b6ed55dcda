import { User } from "../users/user.type.js";
import { NoteVersion, NoteVersionSearch } from "./note-version.type.js";
import { Note } from "./note.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

export const NoteVersionResolver = resolver(NoteVersion, {
  noteVersions: list({
    of: NoteVersion,
    description: "Lists versions of notes, newest first.",
    allow: anybody,
    search: [NoteVersionSearch, "Which versions to list."],
    find: ({ board }, search, page) => board.noteVersions.search(search, page),
  }),

  noteVersion: one({
    of: NoteVersion,
    description: "One version of a note.",
    id: "Number of the version.",
    allow: anybody,
  }),

  note: relation(() => Note, "The note as it is now."),

  updater: relation(() => User, "Who made the edit."),
});
