/** The edits of notes. */
import { change } from "../../lib/graphql.js";
import { unmask } from "../../lib/mask.js";
import { postUrl } from "../../routes.js";
import { RevertNoteDocument } from "../post/notes/__generated__/notes.js";
import { type NoteVersion_VersionFragment, NoteVersionsDocument } from "./__generated__/note.js";
import { historyPage } from "./history.js";

export { NoteVersionsDocument as document };

export const Page = historyPage({
  name: "note",
  document: NoteVersionsDocument,
  list: ({ noteVersions: { nodes, pageInfo } }) => ({
    versions: nodes.map((node) => unmask<NoteVersion_VersionFragment>(node)),
    next: pageInfo.nextPage,
  }),
  subject: ({ noteId, postId, note }) => ({
    id: noteId,
    name: `Note ${noteId} on post ${postId}`,
    url: postUrl(postId),
    mayRevert: note?.viewerCan.update ?? false,
  }),
  fields: [
    { name: "Text", text: ({ body }) => body },
    { name: "Place", value: ({ x, y }) => `${x}, ${y}` },
    { name: "Size", value: ({ width, height }) => `${width} × ${height}` },
    { name: "Status", value: ({ isActive }) => (isActive ? "active" : "deleted"), usual: "active" },
  ],
  revert: ({ noteId: id, id: versionId }) => change(RevertNoteDocument, { id, versionId }),
});
