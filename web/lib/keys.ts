/** Keys of the keyboard: a page names what each does, and the dialog of all shows the same list. */
import { useLayoutEffect } from "preact/hooks";

/** What a key does: in words, and done. */
export interface Shortcut {
  /** as `KeyboardEvent.key` has it; several separated by blanks */
  keys: string;
  does: string;
  run: (event: KeyboardEvent) => void;
}

/** Those of each part of the page that is shown, the latest last. */
const bound = new Set<readonly Shortcut[]>();

/** All that do something by now, the latest first. */
export const shortcuts = (): Shortcut[] => [...bound].toReversed().flat();

/** Has these keys do what they say, while the component is there: from the moment that it is shown, so no key is lost. */
export function useShortcuts(list: readonly Shortcut[]): void {
  useLayoutEffect(() => {
    bound.add(list);
    return () => void bound.delete(list);
  });
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest("dialog[open]") !== null);

let waitsForGo = 0;

/** Addresses of `g` and a letter. */
export const PLACES: Readonly<Record<string, readonly [url: string, name: string]>> = {
  p: ["/posts", "Posts"],
  u: ["/upload", "Upload"],
  a: ["/account", "Account"],
};

/** Starts listening. @param go opens an address */
export function startKeys(go: (url: string) => void): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target)) return;
    if (event.key === "g") return void (waitsForGo = Date.now());
    const there = Date.now() - waitsForGo < 1_000 ? PLACES[event.key] : undefined;
    waitsForGo = 0;
    if (there) return go(there[0]);
    const shortcut = shortcuts().find(({ keys }) => keys.split(" ").includes(event.key));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run(event);
  });
}
