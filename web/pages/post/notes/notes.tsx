/** The notes on a picture, positioned in fractions of it so that they fit every size, and their buttons. */
import { Icon } from "../../../parts/icon.js";
import { later } from "../../../parts/later.js";
import { FreshNote } from "./fresh-note.js";
import type { NotesLayer } from "./layer.js";
import { Note } from "./note.js";
import "./notes.css";

const Drawing = later(async () => (await import("./drawing.js")).Drawing);

export function Notes({ layer }: { layer: NotesLayer }) {
  const { notes, isAway, isDrawing, setDrawing, fresh, setFresh } = layer;
  const begin = (rectangle: NonNullable<typeof fresh>) => {
    setDrawing(false);
    setFresh(rectangle);
  };
  return (
    <div class={`Notes ${isAway ? "is-away" : ""}`}>
      {notes.map((note) => (
        <Note key={note.id} note={note} layer={layer} />
      ))}
      {fresh && <FreshNote rectangle={fresh} layer={layer} />}
      {isDrawing && <Drawing onDrawn={begin} onCancel={() => setDrawing(false)} />}
    </div>
  );
}

export function NotesBar({ layer }: { layer: NotesLayer }) {
  const { notes, mayAdd, edits, isAway, setAway, isDrawing, setDrawing } = layer;
  return (
    <span class="Picture-notes" tabIndex={-1}>
      {notes.length > 0 && (
        <button
          class="Button is-bare"
          type="button"
          aria-pressed={!isAway}
          title="Show or hide the notes (Shift n)"
          onClick={() => setAway(!isAway)}
        >
          <Icon name="note" /> Notes
        </button>
      )}
      {mayAdd && (
        <button
          class="Button is-bare"
          type="button"
          aria-pressed={isDrawing}
          title="Add a note (n)"
          onClick={() => setDrawing(!isDrawing)}
        >
          Add a note
        </button>
      )}
      {edits.undo && (
        <button class="Button is-bare" type="button" title="Undo the last edit of a note (u)" onClick={edits.undo}>
          Undo
        </button>
      )}
      {isDrawing && <span role="status">Draw a rectangle on the picture.</span>}
    </span>
  );
}
