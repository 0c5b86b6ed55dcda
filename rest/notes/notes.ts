import { readable, resource } from "../adapter/row.js";
import { groupedByPost } from "../posts/grouped.js";

const fields = `
  id creator_id post_id x y width height is_active body created_at updated_at version creator_name`;

const versionFields = `
  id note_id post_id updater_id updater_name x y width height is_active body created_at updated_at version`;

export const notes = [
  ...resource("note", { fields }, [
    { method: "GET", path: "/notes", field: "notes", choice: groupedByPost("note", "notedPosts") },
    { method: "GET", path: "/notes/:id", field: "note" },
    { method: "POST", path: "/notes", field: "createNote" },
    { method: "PUT", path: "/notes/:id", field: "updateNote" },
    { method: "DELETE", path: "/notes/:id", field: "deleteNote" },
    { method: "PUT", path: "/notes/:id/revert", field: "revertNote" },
  ]),
  ...readable("note_version", { fields: versionFields }),
];
