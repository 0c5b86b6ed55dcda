import * as documents from "../__generated__/documents.js";
import { readable, resource } from "../adapter/row.js";
import { groupedByPost } from "../posts/grouped.js";

export const notes = [
  ...resource("note", { record: documents.NoteFieldsFragmentDoc }, [
    {
      method: "GET",
      path: "/notes",
      field: "notes",
      choice: groupedByPost("note", "/notes", documents.NotedPostsIndexDocument),
    },
    { method: "GET", path: "/notes/:id", field: "note" },
    { method: "POST", path: "/notes", field: "createNote" },
    { method: "PUT", path: "/notes/:id", field: "updateNote" },
    { method: "DELETE", path: "/notes/:id", field: "deleteNote" },
    { method: "PUT", path: "/notes/:id/revert", field: "revertNote" },
  ]),
  ...readable("note_version", { record: documents.NoteVersionFieldsFragmentDoc }),
];
