/** Edits of the notes on a picture, each of which can be undone until the page is left. */
import { useState } from "preact/hooks";
import { Problem } from "../../../lib/errors.js";
import { change } from "../../../lib/graphql.js";
import { unmask } from "../../../lib/mask.js";
import { type Rectangle, type Size, toPixels } from "../../../lib/rectangle.js";
import { tell, tellProblem } from "../../../parts/toast.js";
import {
  AddNoteDocument,
  DeleteNoteDocument,
  type Note_NoteFragment,
  RevertNoteDocument,
  SaveNoteDocument,
} from "./__generated__/notes.js";

type Note = Note_NoteFragment;
type Undo = () => Promise<unknown>;

export interface NoteEdits {
  /** @returns its id @throws Problem */
  add: (rectangle: Rectangle, body: string) => Promise<number | null>;
  /** @throws Problem */
  write: (note: Pick<Note, "id" | "body">, body: string) => Promise<void>;
  /** @throws Problem */
  move: (note: Note, to: Rectangle) => Promise<void>;
  /** @throws Problem */
  remove: (note: Note) => Promise<void>;
  /** Undoes the latest edit; undefined if there is none. */
  undo: (() => void) | undefined;
}

/** @param picture its size in pixels, the unit in which the board stores notes */
export function useNoteEdits(postId: number, picture: Size): NoteEdits {
  const [undos, setUndos] = useState<readonly Undo[]>([]);
  const undoBy = (undo: Undo) => setUndos((list) => [...list, undo]);
  const save = async (id: number, edit: Partial<Rectangle> & { body?: string }) => {
    const { updateNote } = await change(SaveNoteDocument, { input: { id, ...edit } });
    if (updateNote && !unmask<Note>(updateNote.note).isActive) throw new Problem("The note was deleted meanwhile.", "");
  };

  return {
    add: async (rectangle, body) => {
      const { createNote } = await change(AddNoteDocument, {
        input: { postId, ...toPixels(rectangle, picture), body },
      });
      const id = createNote?.note.id;
      if (id === undefined) return null;
      undoBy(() => change(DeleteNoteDocument, { id }));
      return id;
    },
    write: async ({ id, body: before }, body) => {
      await save(id, { body });
      undoBy(() => save(id, { body: before }));
    },
    move: async ({ id, x, y, width, height }, to) => {
      await save(id, toPixels(to, picture));
      undoBy(() => save(id, { x, y, width, height }));
    },
    remove: async ({ id }) => {
      const { deleteNote } = await change(DeleteNoteDocument, { id });
      const before = deleteNote?.note.versions[1];
      if (before) undoBy(() => change(RevertNoteDocument, { id, versionId: before.id }));
    },
    undo:
      undos.length === 0
        ? undefined
        : () => {
            const last = undos.at(-1) as Undo;
            setUndos((list) => list.slice(0, -1));
            last().then(
              () => tell("Undone."),
              (error: unknown) => {
                undoBy(last); // to be tried again
                tellProblem(error);
              },
            );
          },
  };
}

/** The fields of each note of a post. */
export const unmasked = (notes: readonly Parameters<typeof unmask<Note>>[0][]): Note[] =>
  notes.map((note) => unmask<Note>(note));
