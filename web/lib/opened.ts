/** Forms that a button opens: they take the focus, and give it back to the button when they are closed. */
import { useRef, useState } from "preact/hooks";

/** Whether such a form is open. @returns also the `ref` of the button */
export function useOpened() {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return { isOpen, opener, toggle: () => setOpen(!isOpen), close };
}

/** The `ref` of such a form: focuses its text field. */
export const focusField = (form: HTMLFormElement | null): void => form?.querySelector("textarea")?.focus();
