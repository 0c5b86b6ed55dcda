/** Text as HTML, and data within it. */
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** HTML that is finished: what is put into a template as it is. */
export class Html {
  constructor(readonly text: string) {}
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");

type Part = Html | string | number | null | undefined | false | readonly Part[];

const textOf = (part: Part): string => {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(textOf).join("") : escape(String(part));
};

/** A template of HTML: what is put in is escaped, unless it is HTML itself. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, index) => text + textOf(parts[index])).join(""));

/** Data as a script element that runs nothing; no text can end it. */
export const dataElement = (id: string, data: unknown): Html =>
  new Html(`<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`);
