/** A new note without text: it can be moved while its text is written. */
import { useRef } from "preact/hooks";
import type { Rectangle } from "../../../lib/rectangle.js";
import { Beside } from "../../../parts/beside.js";
import { NoteFrame } from "./frame.js";
import type { NotesLayer } from "./layer.js";
import { NoteForm } from "./note-form-later.js";

export function FreshNote({ rectangle, layer }: { rectangle: Rectangle; layer: NotesLayer }) {
  const button = useRef<HTMLButtonElement>(null);
  const close = () => layer.setFresh(null);
  const save = async (body: string) => {
    const id = await layer.edits.add(rectangle, body);
    close();
    layer.select(id);
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
        <NoteForm draft={`note on ${layer.postId}`} body="" onSave={save} onCancel={close} />
      </Beside>
    </NoteFrame>
  );
}
