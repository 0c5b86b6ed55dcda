/** The form for the text of a note, beside the note. */
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useDraft } from "../../../lib/drafts.js";
import { FormButtons } from "../../../parts/form-buttons.js";
import { useForm } from "../../../parts/form.js";
import { WritingField } from "../../../parts/writing-field.js";

interface Props {
  /** key of its draft */
  draft: string;
  body: string;
  /** @throws Problem */
  onSave: (body: string) => Promise<void>;
  /** once it is saved or cancelled */
  onDone: () => void;
}

export function NoteForm({ draft, body, onSave, onDone }: Props) {
  const [text, keepDraft, sent] = useDraft(draft, body);
  const { problem, isSending, onSubmit } = useForm(async () => {
    await onSave(text);
    if (sent(text)) onDone();
  });
  const cancel = () => {
    keepDraft(body);
    onDone();
  };
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  // once the box around it is open
  useEffect(() => form.current?.querySelector("textarea")?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLFormElement>) => {
    event.stopPropagation(); // the note's shortcuts don't apply to its text
    if (event.key === "Escape") cancel();
  };
  return (
    <form class="NoteForm" ref={form} aria-label="Text of the note" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <WritingField id={id} label="Text of the note" value={text} onChange={keepDraft} problem={problem}>
        <FormButtons isSaving={isSending} isEmpty={text.trim() === ""} onCancel={cancel} />
      </WritingField>
    </form>
  );
}
