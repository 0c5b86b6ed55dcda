/** The state of the notes on a picture: which is selected, whether one is drawn or written. */
import { useLayoutEffect, useState } from "preact/hooks";
import { useShortcuts } from "../../../lib/keys.js";
import { type Ref, unmask } from "../../../lib/mask.js";
import type { Rectangle, Size } from "../../../lib/rectangle.js";
import type { Note_NoteFragment, Notes_PostFragment } from "./__generated__/notes.js";
import { type NoteEdits, unmasked, useNoteEdits } from "./edits.js";

export interface NotesLayer {
  postId: number;
  picture: Size;
  notes: readonly Note_NoteFragment[];
  mayAdd: boolean;
  edits: NoteEdits;
  isAway: boolean;
  setAway: (isAway: boolean) => void;
  /** the next rectangle that is drawn becomes a note */
  isDrawing: boolean;
  setDrawing: (isDrawing: boolean) => void;
  /** the rectangle of a new note, which is not saved yet */
  fresh: Rectangle | null;
  setFresh: (rectangle: Rectangle | null) => void;
  selected: number | null;
  select: (id: number | null) => void;
}

interface Pictured {
  id: number;
  imageWidth: number;
  imageHeight: number;
}

/** The note selected by pointer or keys, until a click elsewhere. */
function useSelected(): [number | null, (id: number | null) => void] {
  const [selected, select] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (selected === null) return undefined;
    const leave = ({ target }: PointerEvent) => {
      if (!(target as Element).closest(".Note, .Picture-bar")) select(null);
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, [selected]);
  return [selected, select];
}

/** @param reference null until the post's response has arrived */
export function useNotes(
  { id, imageWidth, imageHeight }: Pictured,
  reference: Ref<Notes_PostFragment> | null,
): NotesLayer {
  const post = reference && unmask<Notes_PostFragment>(reference);
  const picture = { width: imageWidth, height: imageHeight };
  const mayAdd = post?.viewerCan.annotate ?? false;
  const notes = post ? unmasked(post.notes) : [];
  const [isAway, setAway] = useState(false);
  const [isDrawing, setDrawing] = useState(false);
  const [fresh, setFresh] = useState<Rectangle | null>(null);
  const [selected, select] = useSelected();
  const edits = useNoteEdits(id, picture);
  const draw = (isOn: boolean) => {
    setAway(false);
    select(null);
    setDrawing(isOn);
  };
  useShortcuts([
    ...(mayAdd ? [{ keys: "n", does: "Add a note", run: () => draw(!isDrawing) }] : []),
    ...(notes.length > 0 ? [{ keys: "N", does: "Show or hide the notes", run: () => setAway(!isAway) }] : []),
    ...(edits.undo ? [{ keys: "u", does: "Undo the last edit of a note", run: edits.undo }] : []),
  ]);
  return {
    postId: id,
    picture,
    notes,
    mayAdd,
    edits,
    isAway,
    setAway,
    isDrawing,
    setDrawing: draw,
    fresh,
    setFresh,
    selected,
    select,
  };
}
