/** Short messages of what was done, or refused; screen readers say them. */
import { signal } from "@preact/signals";
import { Problem } from "../lib/errors.js";
import "./toast.css";

interface Message {
  text: string;
  isBad: boolean;
}
const current = signal<Message | null>(null);
const SHOWN_MILLISECONDS = 6_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something. */
export function tell(text: string, { isBad = false } = {}): void {
  clearTimeout(timer);
  current.value = { text, isBad };
  timer = setTimeout(() => (current.value = null), SHOWN_MILLISECONDS);
}

/** Says what was refused. */
export const tellProblem = (problem: unknown): void =>
  tell(problem instanceof Problem ? problem.message : String(problem), { isBad: true });

export const Toast = () => (
  <div class="Toast" role="status" aria-live="polite">
    {current.value && <p class={current.value.isBad ? "is-bad" : ""}>{current.value.text}</p>}
  </div>
);
