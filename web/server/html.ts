/** HTML templates that escape text, and data within HTML. */
import { escape } from "../../src/lib/text.js";

/** HTML that is inserted into a template without escaping. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/** Appended, not joined: V8 then copies the text of nested templates once, when the page is sent, and not in each of them. */
const append = (text: string, part: Part): string => {
  if (part === null || part === undefined || part === false) return text;
  if (part instanceof Html) return text + part.text;
  return typeof part === "object" ? part.reduce(append, text) : text + escape(String(part));
};

/** A template of HTML: values are escaped unless they are HTML themselves. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((text, next, index) => append(text, parts[index - 1]) + next));

/** Data as a script element that does not run; no text in it can end the element. */
export const dataElement = (id: string, data: unknown): Html =>
  new Html(`<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`);
