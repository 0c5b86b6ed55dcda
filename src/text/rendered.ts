/** The rendered texts of comments and notes: a page of long ones takes half a second to render, whoever asks for it. */
import { LRUCache } from "lru-cache";
import { andThen, type MaybePromise } from "../lib/maybe-promise.js";
import { ownTurn } from "../lib/own-turn.js";
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

/** Renders the text of a record as HTML, once for as long as it is in memory. Between long ones, the process does whatever else there is to do. */
export const renderStored = (text: string): MaybePromise<string> =>
  renderedTexts.has(text) ? renderedTexts.memo(text) : andThen(ownTurn(text.length), () => renderedTexts.memo(text));

/** The same for a text that is not stored, which is not remembered. */
export const renderPreview = (text: string): MaybePromise<string> =>
  andThen(ownTurn(text.length), () => renderDText(text));
