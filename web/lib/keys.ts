/** Keyboard shortcuts: a page declares them, and the dialog lists them. */
import { useLayoutEffect } from "preact/hooks";

/** A shortcut: its keys, description and action. */
export interface Shortcut {
  /** as in `KeyboardEvent.key`; several separated by spaces */
  keys: string;
  does: string;
  run: (event: KeyboardEvent) => void;
}

/** The shortcuts of each mounted component, the latest last. */
const bound = new Set<readonly Shortcut[]>();

/** All active shortcuts, the latest first. */
export const shortcuts = (): Shortcut[] => [...bound].toReversed().flat();

/** Declares shortcuts while the component is mounted; a layout effect, so that no key is lost. */
export function useShortcuts(list: readonly Shortcut[]): void {
  useLayoutEffect(() => {
    bound.add(list);
    return () => void bound.delete(list);
  });
}

/** Whether an element is a field, whose keys and drops are its own. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches("input, textarea, select");

/** Whether a key is for the element that has the focus: a field, a dialog, or the controls of a video. */
const isTaken = ({ target, key }: KeyboardEvent): boolean =>
  isField(target) ||
  (target instanceof HTMLVideoElement && key.startsWith("Arrow")) ||
  (target as Element).closest("dialog[open]") !== null;

/** Whether somebody has gone on to something outside of an element, from where the focus must not be taken: the next keys would be shortcuts. */
export const isElsewhere = (element: HTMLElement | null): boolean =>
  document.querySelector(":focus") !== null && !element?.matches(":focus-within");

/** Keys that act again and again while they are held down; the others act once. */
const MOVING = /^(?:Arrow|[adjk]$)/;

let waitsForGo = 0;

/** URLs of `g` and a letter. */
export const PLACES: Readonly<Record<string, readonly [url: string, name: string]>> = {
  p: ["/posts", "Posts"],
  u: ["/upload", "Upload"],
  a: ["/account", "Account"],
};

/** Starts listening. @param go opens a URL */
export function startKeys(go: (url: string) => void): void {
  // until a word is done, keys are the input method's, also the one that ends the word, of which Safari says only this code
  const leave = (event: KeyboardEvent) => (event.isComposing || event.keyCode === 229) && event.stopPropagation();
  document.addEventListener("keydown", leave, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.shiftKey && event.key.startsWith("Arrow")) return; // extends what is selected
    if (isTaken(event)) return;
    if (event.key === "g") return void (waitsForGo = Date.now());
    const there = Date.now() - waitsForGo < 1_000 ? PLACES[event.key] : undefined;
    waitsForGo = 0;
    if (there) return go(there[0]);
    const shortcut = shortcuts().find(({ keys }) => keys.split(" ").includes(event.key));
    if (!shortcut) return;
    event.preventDefault();
    if (!event.repeat || MOVING.test(event.key)) shortcut.run(event);
  });
}
