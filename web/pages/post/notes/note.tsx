/** A note: its text is shown on hover, focus and tap; those who may edit it move, edit and delete it in place. */
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isSame, ofPixels, type Rectangle } from "../../../lib/rectangle.js";
import { place } from "../../../lib/router.js";
import { Beside } from "../../../parts/beside.js";
import { Prose } from "../../../parts/prose.js";
import { tell, tellProblem } from "../../../parts/toast.js";
import type { Note_NoteFragment } from "./__generated__/notes.js";
import { NoteFrame } from "./frame.js";
import type { NotesLayer } from "./layer.js";
import { NoteForm } from "./note-form-later.js";

/** Moves by keys within this time are saved as one edit. */
const SETTLES_MILLISECONDS = 600;
/** Time for the pointer to move from a note to its text. */
const LEAVES_MILLISECONDS = 120;

/** A rectangle that changes locally first, and is saved once it stops changing. */
function useRectangle(saved: Rectangle, save: (rectangle: Rectangle) => Promise<void>) {
  const [draft, setDraft] = useState<Rectangle | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<(() => void) | null>(null);
  // as it is when it is saved: the response to the last save may have arrived since it was put
  const latest = useRef({ saved, save });
  latest.current = { saved, save };
  const settle = () => {
    clearTimeout(timer.current);
    waiting.current?.();
    waiting.current = null;
  };
  const put = (to: Rectangle) => {
    setDraft(to);
    clearTimeout(timer.current);
    const settled = () => setDraft((now) => (now && isSame(now, to) ? null : now));
    waiting.current = () => {
      const now = latest.current;
      if (isSame(to, now.saved)) settled();
      else now.save(to).catch(tellProblem).finally(settled);
    };
    timer.current = setTimeout(settle, SETTLES_MILLISECONDS);
  };
  // unsaved changes are saved when the page is left, for another page or another site
  useEffect(() => {
    addEventListener("pagehide", settle);
    return () => {
      removeEventListener("pagehide", settle);
      settle();
    };
  }, []);
  return { rectangle: draft ?? saved, setDraft, put };
}

/** Whether the pointer is on a note, or was a moment ago. */
function useHover(): [boolean, (isOver: boolean) => void] {
  const [isOver, setOver] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hover = (isNow: boolean) => {
    clearTimeout(timer.current);
    if (isNow) setOver(true);
    else timer.current = setTimeout(() => setOver(false), LEAVES_MILLISECONDS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return [isOver, hover];
}

export function Note({ note, layer }: { note: Note_NoteFragment; layer: NotesLayer }) {
  const { edits, picture, selected, select } = layer;
  const isSelected = selected === note.id;
  const mayMove = layer.mayAdd && note.viewerCan.update;
  const mayDelete = layer.mayAdd && note.viewerCan.delete;
  const [isOver, setOver] = useHover();
  const [isFocused, setFocused] = useState(false);
  const [isWritten, setWritten] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { rectangle, setDraft, put } = useRectangle(ofPixels(note, picture), (to) => edits.move(note, to));
  const id = useId();
  // before the next key, which may move the focus on
  useLayoutEffect(() => {
    // a new note is selected once it is saved
    if (isSelected) button.current?.focus({ preventScroll: true });
    else setWritten(false);
  }, [isSelected]);

  useLayoutEffect(
    () => () => {
      // on to the buttons, of which one restores it
      if (button.current?.parentElement?.contains(document.activeElement))
        document.querySelector<HTMLElement>(".Picture-notes")?.focus({ preventScroll: true });
    },
    [],
  );

  const isInForm = useRef(false);
  isInForm.current = isWritten;
  useEffect(() => {
    const here = place.value;
    return () => {
      if (isInForm.current && place.value === here)
        tell("The note was deleted meanwhile. Your text is kept for when it is restored.", { isBad: true });
    };
  }, []);

  const choose = () => {
    select(note.id);
    button.current?.focus({ preventScroll: true });
  };
  const remove = () => void edits.remove(note).then(() => tell("Deleted."), tellProblem);
  const leave = () => {
    setOver(false);
    setFocused(false);
    select(null);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const run = { Delete: mayDelete ? remove : undefined, Escape: leave }[event.key];
    if (!run || (event.key === "Delete" && !isSelected)) return;
    event.preventDefault();
    run();
  };
  const closeForm = (hasLeft: boolean) => {
    setWritten(false);
    if (!hasLeft) button.current?.focus({ preventScroll: true });
  };
  return (
    <NoteFrame
      rectangle={rectangle}
      label="Note"
      button={button}
      describedBy={isWritten ? undefined : `${id}-text`}
      isSelected={isSelected}
      isMovable={mayMove}
      onSelect={choose}
      onChange={setDraft}
      onPut={put}
      onKeyDown={onKeyDown}
      onHover={setOver}
      onFocus={setFocused}
    >
      <Beside of={button} isShown={isSelected || isOver || isFocused}>
        {isWritten ? (
          <NoteForm
            draft={`note ${note.id}`}
            body={note.body}
            onSave={(body) => edits.write(note, body)}
            onDone={closeForm}
          />
        ) : (
          <div id={`${id}-text`} role="tooltip">
            <Prose html={note.bodyHtml} />
          </div>
        )}
        {isSelected && !isWritten && (mayMove || mayDelete) && (
          <p class="Note-buttons" role="group" aria-label="The selected note">
            {mayMove && (
              <button class="Button" type="button" onClick={() => setWritten(true)}>
                Edit text
              </button>
            )}
            {mayDelete && (
              <button class="Button is-bare" type="button" onClick={remove}>
                Delete
              </button>
            )}
            {mayMove && <span class="Note-hint">Drag or arrow keys; Shift resizes.</span>}
          </p>
        )}
      </Beside>
    </NoteFrame>
  );
}
