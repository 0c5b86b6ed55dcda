/** Short messages about what was done or refused, also for screen readers. */
import { signal } from "@preact/signals";
import { explained } from "../lib/countdown.js";
import "./toast.css";

interface Message {
  text: string;
  isBad: boolean;
}
const current = signal<Message | null>(null);
const SHOWN_MILLISECONDS = 6_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message. */
export function tell(text: string, { isBad = false } = {}): void {
  clearTimeout(timer);
  current.value = { text, isBad };
  timer = setTimeout(() => (current.value = null), SHOWN_MILLISECONDS);
}

/** Shows an error. */
export const tellProblem = (problem: unknown): void => tell(explained(problem), { isBad: true });

/** A popover, so that it is above the drawers that are open. */
const show = (message: HTMLElement | null): void => void message?.togglePopover(true);

export function Toast() {
  const { text, isBad } = current.value ?? {};
  return (
    <div role="status" aria-live="polite">
      {text && (
        <p key={text} class={`Toast ${isBad ? "is-bad" : ""}`} ref={show} popover="manual">
          {text}
        </p>
      )}
    </div>
  );
}
