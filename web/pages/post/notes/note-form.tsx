/** The form for the text of a note, beside the note. */
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { FormButtons } from "../../../parts/form-buttons.js";
import { useForm } from "../../../parts/form.js";
import { WritingField } from "../../../parts/writing-field.js";

interface Props {
  body: string;
  /** @throws Problem */
  onSave: (body: string) => Promise<void>;
  onCancel: () => void;
}

export function NoteForm({ body, onSave, onCancel }: Props) {
  const [text, setText] = useState(body);
  const { problem, isSending, onSubmit } = useForm(() => onSave(text));
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  // once the box around it is open
  useEffect(() => form.current?.querySelector("textarea")?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLFormElement>) => {
    event.stopPropagation(); // the note's shortcuts don't apply to its text
    if (event.key === "Escape") onCancel();
  };
  return (
    <form class="NoteForm" ref={form} aria-label="Text of the note" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <WritingField id={id} label="Text of the note" value={text} onChange={setText} problem={problem?.message ?? ""}>
        <FormButtons isSaving={isSending} isEmpty={text.trim() === ""} onCancel={onCancel} />
      </WritingField>
    </form>
  );
}
