/** What is being typed in a field of tags, or in a text with links to wiki pages, and what a suggestion makes of it. */

export interface Typed {
  /** the word, as far as the caret; without what stands before a tag */
  word: string;
  /** where it begins and ends in the text, its sign apart */
  start: number;
  end: number;
}

/** The word at the caret. `-` and `~` before it are no part of it. */
export function typedAt(text: string, caret: number): Typed {
  const from = Math.max(text.lastIndexOf(" ", caret - 1), text.lastIndexOf("\n", caret - 1)) + 1;
  const sign = /^[-~]*/.exec(text.slice(from, caret))?.[0].length ?? 0;
  const rest = /^\S*/.exec(text.slice(caret))?.[0].length ?? 0;
  return { word: text.slice(from + sign, caret), start: from + sign, end: caret + rest };
}

/** The text with the word replaced, and where the caret is then: behind it, and a blank. */
export function completed(text: string, { start, end }: Typed, value: string): { text: string; caret: number } {
  const isOpen = value.endsWith(":"); // a meta-tag, whose value comes next
  const after = text.slice(end).replace(/^ /, "");
  const put = isOpen ? value : `${value} `;
  return { text: text.slice(0, start) + put + after, caret: start + put.length };
}

/** The title that is typed in a link of a text, behind `[[`; no word elsewhere. */
export function linkAt(text: string, caret: number): Typed {
  const word = /\[\[([^[\]|\n]{1,100})$/.exec(text.slice(0, caret))?.[1] ?? "";
  return { word, start: caret - word.length, end: caret + (text.startsWith("]]", caret) ? 2 : 0) };
}

/** The text with the link finished, and the caret behind it. */
export function linked(text: string, { start, end }: Typed, value: string): { text: string; caret: number } {
  const put = `${value.replaceAll("_", " ")}]]`;
  return { text: text.slice(0, start) + put + text.slice(end), caret: start + put.length };
}
