/** What is written and not sent yet, kept in this browser until it is. */
import { useState } from "preact/hooks";

const PREFIX = "draft ";

function read(key: string): string {
  try {
    return localStorage.getItem(PREFIX + key) ?? "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

function write(key: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, text);
  } catch {
    // a browser that keeps nothing, or no more
  }
}

/** A text that outlives the page; an empty one is forgotten. @param key what it is for, as `comment 12` */
export function useDraft(key: string): [text: string, keep: (text: string) => void] {
  const [text, setText] = useState(() => read(key));
  const keep = (draft: string) => {
    setText(draft);
    write(key, draft);
  };
  return [text, keep];
}
