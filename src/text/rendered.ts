/** The rendered texts of comments and notes: a page of long ones takes half a second to render, whoever asks for it. */
import { LRUCache } from "lru-cache";
import { renderDText } from "./dtext.js";

/** Characters of texts and their HTML in all, of up to two bytes each: 16 MB in each process. */
const MAX_CHARACTERS = 8_000_000;
/** What an entry takes besides, in characters. */
const ENTRY = 200;

export const renderedTexts = new LRUCache<string, string>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: (html, text) => text.length + html.length + ENTRY,
  memoMethod: renderDText,
});

/** Renders the text of a record as HTML, once for as long as it is in memory. */
export const renderStored = (text: string): string => renderedTexts.memo(text);
