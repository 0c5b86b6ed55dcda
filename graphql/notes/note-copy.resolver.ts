import type { NoteCopy } from "../../src/resources/notes/note.copy.js";
import { CopyNotesInput, CopyNotesPayload } from "./note-copy.type.js";
import { Note } from "./note.type.js";
import { mutation, recordsBy, resolver } from "../shared/operations.js";

export const NoteCopyResolver = resolver(CopyNotesPayload, {
  copyNotes: mutation({
    description: "Copies the notes of a post to another post, scaled to the size of its picture.",
    limited: "recordEdit",
    input: [CopyNotesInput, "The two posts."],
    payload: CopyNotesPayload,
    resolve: (context, { id, otherPostId }) => context.board.noteCopies.copy(context, id, otherPostId),
  }),

  notes: recordsBy(
    () => Note,
    ({ noteIds }: NoteCopy) => noteIds,
    "The new notes, in the order of the originals.",
  ),
});
