/** The word being typed in a field of tags, or the link in a text, and how a suggestion replaces it. */

export interface Typed {
  /** the word up to the caret, without operators */
  word: string;
  /** where it begins and ends in the text, without operators */
  start: number;
  end: number;
}

const closesMore = (word: string): boolean => word.split(")").length > word.split("(").length;

/** A value in quotes that does not end. */
const QUOTED = /\w:("[^"]*|'[^']*)$/;

/** The word at the caret, without `-`, `~` and `(` before it, and the `)` behind it that close a group; none within a value in quotes. */
export function typedAt(text: string, caret: number): Typed {
  const before = text.slice(0, caret);
  const last = before.split(/\s/).at(-1) ?? "";
  const typed = QUOTED.test(before) && !QUOTED.test(last) ? "" : last;
  const word = typed.replace(/^[-~(]+/, "");
  const start = caret - word.length;
  let end = caret + (/^\S*/.exec(text.slice(caret))?.[0].length ?? 0);
  while (end > caret && text[end - 1] === ")" && closesMore(text.slice(start, end))) end -= 1;
  return { word, start, end };
}

/** The text with the word replaced and followed by a space or the end of its group, and the position of the caret after it. */
export function completed(text: string, { start, end }: Typed, value: string): { text: string; caret: number } {
  const after = text.slice(end).replace(/^ /, "");
  // after a meta-tag its value follows
  const put = value.endsWith(":") || after.startsWith(")") ? value : `${value} `;
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
