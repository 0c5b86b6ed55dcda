/** Forms that a button opens: they take the focus, and give it back to the button when they are closed. */
import { useId, useRef, useState } from "preact/hooks";
import { isElsewhere } from "./keys.js";

/** Whether such a form is open. @returns also its id, and the `ref` of the button, which opens the form or returns to it */
export function useOpened() {
  const [isOpen, setOpen] = useState(false);
  const formId = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    const hasLeft = isElsewhere(document.getElementById(formId));
    setOpen(false);
    if (!hasLeft) opener.current?.focus();
  };
  const open = () => {
    setOpen(true);
    focusField(document.getElementById(formId));
  };
  return { isOpen, formId, opener, open, close };
}

/** The `ref` of such a form: focuses its text field. */
export const focusField = (form: HTMLElement | null): void => form?.querySelector("textarea")?.focus();
