/** The tags of a text, each once, as the board stores them. */
export const tagsIn = (text: string): string[] => [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))];

/** The text without the tag if it has it, else with it at its end. */
export function toggled(text: string, tag: string): string {
  if (!tagsIn(text).includes(tag)) return `${text.trimEnd()} ${tag} `.trimStart();
  return text.replaceAll(/(\S+)\s*/g, (typed, word: string) => (word.toLowerCase() === tag ? "" : typed));
}
