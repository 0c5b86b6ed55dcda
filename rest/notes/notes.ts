import {
  NotedPostsIndexDocument,
  NotesCreateDocument,
  NotesDeleteDocument,
  NotesIndexDocument,
  NotesRevertDocument,
  NotesShowDocument,
  NotesUpdateDocument,
  NoteVersionsIndexDocument,
  NoteVersionsShowDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { groupedByPost } from "../posts/grouped.js";

export const notes = [
  ...resource("note", [
    {
      method: "GET",
      path: "/notes",
      document: NotesIndexDocument,
      choice: groupedByPost("note", "/notes", NotedPostsIndexDocument),
    },
    { method: "GET", path: "/notes/:id", document: NotesShowDocument },
    { method: "POST", path: "/notes", document: NotesCreateDocument },
    { method: "PUT", path: "/notes/:id", document: NotesUpdateDocument },
    { method: "DELETE", path: "/notes/:id", document: NotesDeleteDocument },
    { method: "PUT", path: "/notes/:id/revert", document: NotesRevertDocument },
  ]),
  ...resource("note_version", [
    { method: "GET", path: "/note_versions", document: NoteVersionsIndexDocument },
    { method: "GET", path: "/note_versions/:id", document: NoteVersionsShowDocument },
  ]),
];
