/** The text of a note, written beside it. */
import type { TargetedKeyboardEvent, TargetedSubmitEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Problem } from "../../../lib/errors.js";
import { WritingField } from "../../../parts/writing-field.js";

interface Props {
  body: string;
  /** @throws Problem */
  onSave: (body: string) => Promise<void>;
  onCancel: () => void;
}

export function NoteForm({ body, onSave, onCancel }: Props) {
  const [text, setText] = useState(body);
  const [problem, setProblem] = useState("");
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  useEffect(() => form.current?.querySelector("textarea")?.focus({ preventScroll: true }), []);
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaving(true);
    setProblem("");
    onSave(text).catch((error: unknown) => {
      setProblem(error instanceof Problem ? error.message : String(error));
      setSaving(false);
    });
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLFormElement>) => {
    event.stopPropagation(); // keys of the note are not for its text
    if (event.key === "Escape") onCancel();
  };
  return (
    <form class="NoteForm" ref={form} aria-label="Text of the note" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <WritingField id={id} label="Text of the note" value={text} onChange={setText} problem={problem} />
      <p class="NoteForm-buttons">
        <button class="Button is-first" type="submit" disabled={isSaving || text.trim() === ""}>
          Save
        </button>
        <button class="Button" type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  );
}
