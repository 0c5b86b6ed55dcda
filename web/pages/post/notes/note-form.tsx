/** The form for the text of a note, beside the note. */
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useDraft } from "../../../lib/drafts.js";
import { isElsewhere } from "../../../lib/keys.js";
import { ChangedByOthers } from "../../../parts/changed-by-others.js";
import { FormButtons } from "../../../parts/form-buttons.js";
import { useForm } from "../../../parts/form.js";
import { WritingField } from "../../../parts/writing-field.js";

interface Props {
  /** key of its draft */
  draft: string;
  body: string;
  /** @throws Problem */
  onSave: (body: string) => Promise<void>;
  /** once it is saved, cancelled or closed. @param hasLeft whether somebody has gone on to something outside of it */
  onDone: (hasLeft: boolean) => void;
}

export function NoteForm({ draft, body, onSave, onDone }: Props) {
  const [text, keepDraft, sent, begun] = useDraft(draft, body);
  const form = useRef<HTMLFormElement>(null);
  const done = () => onDone(isElsewhere(form.current));
  // the text as the edit began, and as it was sent
  const known = useRef(new Set([begun])).current;
  const { problem, isSending, onSubmit } = useForm(async () => {
    known.add(text);
    await onSave(text);
    if (sent(text)) done();
  });
  const cancel = () => {
    keepDraft(body);
    done();
  };
  const id = useId();
  // once the box around it is open
  useEffect(() => form.current?.querySelector("textarea")?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLFormElement>) => {
    event.stopPropagation(); // the note's shortcuts don't apply to its text
    if (event.key === "Escape") done(); // the draft is kept
  };
  return (
    <form class="NoteForm" ref={form} aria-label="Text of the note" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <ChangedByOthers record="note" known={known} now={body} />
      <WritingField id={id} label="Text of the note" value={text} onChange={keepDraft} problem={problem}>
        <FormButtons isSaving={isSending} isEmpty={text.trim() === ""} onCancel={cancel} />
      </WritingField>
    </form>
  );
}
