/** Forms: sending them, and showing errors beside each field. */
import type { ComponentChildren, TargetedKeyboardEvent, TargetedSubmitEvent } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Problem, problemIn } from "../lib/errors.js";
import { sentence } from "../titles.js";
import { ProblemLine } from "./problem-line.js";

export interface Sending {
  problem: Problem | null;
  /** whether each error is shown beside its field, so that none is left for the whole form */
  isSaidByFields: boolean;
  isSending: boolean;
  onSubmit: (event: TargetedSubmitEvent<HTMLFormElement>) => void;
}

/** @param send sends the form; the error it throws is shown, and the first field that it is about is focused */
export function useForm(send: (data: FormData, form: HTMLFormElement) => Promise<void>): Sending {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, setSending] = useState(false);
  const [isSaidByFields, setSaid] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const wrong = form.current?.querySelectorAll<HTMLElement>("[aria-invalid]") ?? [];
    wrong[0]?.focus();
    setSaid(wrong.length > 0 && wrong.length === Object.keys(problem?.fields ?? {}).length);
  }, [problem]);
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // a button that is `disabled` would lose the focus
    if (isSending || event.submitter?.ariaDisabled === "true") return;
    form.current = event.currentTarget;
    setSending(true);
    setProblem(null);
    send(new FormData(form.current), form.current)
      .catch((error: unknown) => setProblem(problemIn(error)))
      .finally(() => setSending(false));
  };
  return { problem, isSaidByFields, isSending, onSubmit };
}

/** The text of a field of a form. */
export const fieldText = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === "string" ? value : "";
};

interface TextFieldProps {
  name: string;
  label: string;
  type?: "text" | "password" | "email" | "number";
  value?: string | number;
  hint?: string;
  autocomplete?: string;
  /** whether it is a whole number, or empty */
  isNumber?: boolean;
  isRequired?: boolean;
  rows?: number;
  problem?: Problem | null;
  /** called with each change of the text; without it the form alone keeps the text */
  onChange?: (text: string) => void;
}

/**
 * The errors of a field as sentences about its label; "" for none.
 * @param name of the field, which the board calls by its path in the input: `input.password`
 */
export const problemsOf = (problem: Problem | null, name: string, label: string): string =>
  Object.entries(problem?.fields ?? {})
    .filter(([field]) => field.split(".").at(-1) === name)
    .flatMap(([, list]) => list.map((each) => sentence(`${label} ${each}`)))
    .join(" ");

/** The attributes of an input for a whole number, which may be empty. */
export const WHOLE_NUMBER = { inputMode: "numeric", pattern: "\\s*\\d*\\s*", title: "A number" } as const;

export function TextField({
  name,
  label,
  type = "text",
  value = "",
  hint,
  rows,
  problem = null,
  onChange,
  ...rest
}: TextFieldProps) {
  const id = useId();
  const wrong = problemsOf(problem, name, label);
  const described = [wrong && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  const shared = {
    id,
    name,
    ...(onChange
      ? { value, onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value) }
      : { defaultValue: value }),
    required: rest.isRequired ?? false,
    "aria-invalid": wrong ? ("true" as const) : undefined,
    "aria-describedby": described,
    dir: "auto" as const,
  };
  return (
    <div class="Field">
      <label for={id}>{label}</label>
      {rows ? (
        <textarea {...shared} rows={rows} />
      ) : (
        <input
          {...({ ...shared, type } as object)}
          autocomplete={rest.autocomplete ?? "off"}
          {...(rest.isNumber && WHOLE_NUMBER)}
        />
      )}
      {wrong && (
        <p class="Field-problem" id={`${id}-problem`}>
          {wrong}
        </p>
      )}
      {hint && (
        <p class="Field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Tells password managers whose password the form's is. */
export const UserName = ({ name }: { name: string }) => (
  <input type="text" name="username" autocomplete="username" value={name} readOnly hidden />
);

interface FormProps {
  label: string;
  submit: string;
  sending: Sending;
  formRef?: (form: HTMLFormElement | null) => void;
  /** of a form that is opened by a button: forgets what was entered, and closes it */
  onCancel?: () => void;
  /** closes it, and keeps what was entered */
  onClose?: () => void;
  children: ComponentChildren;
}

/** Ctrl Enter or ⌘ Enter sends a form, also from a field of several lines. */
export function sendByKey(event: TargetedKeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.closest("form")?.requestSubmit();
}

export const Form = ({ label, submit, sending, formRef, onCancel, onClose, children }: FormProps) => (
  <form
    class="Form"
    ref={formRef}
    aria-label={label}
    onSubmit={sending.onSubmit}
    onKeyDown={(event) => (event.key === "Escape" ? onClose?.() : sendByKey(event))}
  >
    {children}
    {sending.problem && !sending.isSaidByFields && <ProblemLine problem={sending.problem} />}
    <p class="FormButtons">
      <button class="Button is-first" type="submit" aria-disabled={sending.isSending}>
        {submit}
      </button>
      {onCancel && (
        <button class="Button" type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </p>
  </form>
);
