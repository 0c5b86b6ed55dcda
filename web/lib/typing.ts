/** The word that is being typed in a field of tags, and what a suggestion makes of it. */

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
