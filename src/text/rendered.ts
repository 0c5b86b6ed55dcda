/** The rendered texts of comments and notes: a page of long ones takes half a second to render, whoever asks for it. */
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { MaybePromise } from "../lib/maybe-promise.js";
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

/** Characters of texts that may take a millisecond or more. */
const LONG = 2_000;

let lastTurn: Promise<void> = Promise.resolve();

/** Renders the text of a record as HTML, once for as long as it is in memory. Between long ones, the process does whatever else there is to do. */
export function renderStored(text: string): MaybePromise<string> {
  if (text.length < LONG || renderedTexts.has(text)) return renderedTexts.memo(text);
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn.then(() => renderedTexts.memo(text));
}
