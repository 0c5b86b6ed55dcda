/** The word being typed in a field of tags, or the link in a text, and how a suggestion replaces it. */

export interface Typed {
  /** the word up to the caret, without operators */
  word: string;
  /** where it begins and ends in the text, without operators */
  start: number;
  end: number;
}

/** The word at the caret, without `-`, `~` and `(` before it. */
export function typedAt(text: string, caret: number): Typed {
  const typed = text.slice(0, caret).split(/\s/).at(-1) ?? "";
  const word = typed.replace(/^[-~(]+/, "");
  const rest = /^\S*/.exec(text.slice(caret))?.[0].length ?? 0;
  return { word, start: caret - word.length, end: caret + rest };
}

/** The text with the word replaced and followed by a space, and the position of the caret after it. */
export function completed(text: string, { start, end }: Typed, value: string): { text: string; caret: number } {
  const isOpen = value.endsWith(":"); // a meta-tag, whose value follows
  const after = text.slice(end).replace(/^ /, "");
  const put = isOpen ? value : `${value} `;
  return { text: text.slice(0, start) + put + after, caret: start + put.length };
}

/** The title being typed in a link of a text, after `[[`; elsewhere an empty word. */
export function linkAt(text: string, caret: number): Typed {
  const word = /\[\[([^[\]|\n]{1,100})$/.exec(text.slice(0, caret))?.[1] ?? "";
  return { word, start: caret - word.length, end: caret + (text.startsWith("]]", caret) ? 2 : 0) };
}

/** The text with the link completed, and the position of the caret after it. */
export function linked(text: string, { start, end }: Typed, value: string): { text: string; caret: number } {
  const put = `${value.replaceAll("_", " ")}]]`;
  return { text: text.slice(0, start) + put + text.slice(end), caret: start + put.length };
}
