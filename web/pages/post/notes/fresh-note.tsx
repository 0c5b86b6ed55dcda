/** A new note without text: it can be moved while its text is written. */
import { useRef } from "preact/hooks";
import type { Rectangle } from "../../../lib/rectangle.js";
import { Beside } from "../../../parts/beside.js";
import { NoteFrame } from "./frame.js";
import type { NotesLayer } from "./layer.js";
import { NoteForm } from "./note-form-later.js";

export function FreshNote({ rectangle, layer }: { rectangle: Rectangle; layer: NotesLayer }) {
  const button = useRef<HTMLButtonElement>(null);
  // what is typed while it is added is saved as an edit of it
  const added = useRef<{ id: number; body: string } | null>(null);
  const close = (hasLeft = false) => {
    layer.setFresh(null);
    if (added.current && !hasLeft) layer.select(added.current.id);
  };
  const save = async (body: string) => {
    if (added.current) await layer.edits.write(added.current, body);
    const id = added.current?.id ?? (await layer.edits.add(rectangle, body));
    added.current = id === null ? null : { id, body };
  };
  return (
    <NoteFrame
      rectangle={rectangle}
      label="New note"
      button={button}
      isSelected
      isMovable
      onSelect={() => button.current?.focus({ preventScroll: true })}
      onChange={layer.setFresh}
      onPut={layer.setFresh}
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <Beside of={button} isShown>
        <NoteForm draft={`note on ${layer.postId}`} body="" onSave={save} onDone={close} />
      </Beside>
    </NoteFrame>
  );
}
