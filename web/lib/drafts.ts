/** Text that was not sent yet, stored in this browser until it is. */
import { useRef, useState } from "preact/hooks";
import { store, stored } from "./stored.js";

/** Forgets the draft of a text that was sent, unless something else was typed meanwhile. @returns whether nothing was */
type Sent = (text: string) => boolean;

/**
 * A text that survives a reload; an empty or unchanged one is removed.
 * @param key its subject, as `comment 12`
 * @param before the text that is edited
 * @returns also the text from which it began, which others may have changed since
 */
export function useDraft(
  key: string,
  before = "",
): [text: string, keep: (text: string) => void, sent: Sent, begun: string] {
  const [text, setText] = useState(() => stored(`draft ${key}`) || before);
  const begun = useRef((stored(`draft ${key}`) && stored(`before draft ${key}`)) || before);
  const latest = useRef(text);
  const keep = (draft: string) => {
    latest.current = draft;
    setText(draft);
    store(`draft ${key}`, draft === before ? "" : draft);
    store(`before draft ${key}`, draft === before ? "" : begun.current);
  };
  const sent = (what: string) => {
    const isLatest = latest.current === what;
    if (before) begun.current = what;
    keep(isLatest ? before : latest.current);
    return isLatest;
  };
  return [text, keep, sent, begun.current];
}
