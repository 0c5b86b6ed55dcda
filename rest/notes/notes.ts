import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { groupedByPost } from "../posts/grouped.js";

export const notes = [
  ...resource("note", [
    {
      method: "GET",
      path: "/notes",
      document: documents.NotesIndexDocument,
      choice: groupedByPost("note", "/notes", documents.NotedPostsIndexDocument),
    },
    { method: "GET", path: "/notes/:id", document: documents.NotesShowDocument },
    { method: "POST", path: "/notes", document: documents.NotesCreateDocument },
    { method: "PUT", path: "/notes/:id", document: documents.NotesUpdateDocument },
    { method: "DELETE", path: "/notes/:id", document: documents.NotesDeleteDocument },
    { method: "PUT", path: "/notes/:id/revert", document: documents.NotesRevertDocument },
  ]),
  ...resource("note_version", [
    { method: "GET", path: "/note_versions", document: documents.NoteVersionsIndexDocument },
    { method: "GET", path: "/note_versions/:id", document: documents.NoteVersionsShowDocument },
  ]),
];
