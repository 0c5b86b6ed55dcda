/**
 * Renders DText, the markup of comments, notes, wiki pages and the forum, as safe HTML: all text is escaped, and only a fixed set of
 * elements is created, without attributes except the URLs of links.
 */
import { escape } from "../lib/text.js";
import { inline } from "./inline.js";

/** Blocks that can contain others, and their elements. */
const CONTAINERS: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  quote: ["<blockquote>", "</blockquote>"],
  spoiler: ["<details><summary>Spoiler</summary>", "</details>"],
  spoilers: ["<details><summary>Spoiler</summary>", "</details>"],
  expand: ["<details><summary>Show</summary>", "</details>"],
};
/** Maximum depth of nested blocks; deeper ones are text. */
const MAX_DEPTH = 8;

const CONTAINER = /(\[\/?(?:quote|spoilers?|expand)\])/i;
const CONTAINER_NAME = /^\[(\/?)(quote|spoilers?|expand)\]$/i;
const HEADING = /^h([1-6])(?:#[\w-]{1,100})?\.[ \t](.*)$/i;
const ITEM = /^(\*{1,6})[ \t](.*)$/;

class Writer {
  private html = "";
  private paragraph: string[] = [];
  private listDepth = 0;
  private readonly open: string[] = [];
  private code: string[] | null = null;

  line(line: string): void {
    for (let rest: string | null = line; rest !== null;)
      rest = this.code ? this.codeLine(rest) : this.ordinaryLine(rest);
  }

  /** @returns what follows the beginning of code; null if none begins */
  private ordinaryLine(line: string): string | null {
    const code = /^\s*\[code\]/i.exec(line);
    if (code) {
      this.endBlock();
      this.code = [];
      return line.slice(code[0].length);
    }
    if (line.trim() === "") this.endBlock();
    else this.blocks(line);
    return null;
  }

  private blocks(line: string): void {
    for (const part of line.split(CONTAINER)) {
      const [, end, name] = CONTAINER_NAME.exec(part) ?? [];
      if (name !== undefined) this.container(end === "/", name.toLowerCase());
      else if (part.trim() !== "") this.plain(part);
    }
  }

  private plain(line: string): void {
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line);
    if (heading) {
      this.endBlock();
      const level = Math.max(Number(heading[1]), 3); // the page itself has the headings above
      this.html += `<h${level}>${inline(heading[2] ?? "")}</h${level}>`;
    } else if (item) this.item(item[1]?.length ?? 1, item[2] ?? "");
    else {
      this.endList();
      this.paragraph.push(line);
    }
  }

  /** A nested list is part of the item before it. */
  private item(depth: number, text: string): void {
    this.endParagraph();
    const wanted = Math.min(depth, this.listDepth + 1);
    if (wanted > this.listDepth) this.html += "<ul>";
    else this.html += `${"</li></ul>".repeat(this.listDepth - wanted)}</li>`;
    this.listDepth = wanted;
    this.html += `<li>${inline(text)}`;
  }

  private endList(): void {
    this.html += "</li></ul>".repeat(this.listDepth);
    this.listDepth = 0;
  }

  /** @returns what follows the end of the code; null if it goes on */
  private codeLine(line: string): string | null {
    const end = line.search(/\[\/code\]/i);
    this.code?.push(end < 0 ? line : line.slice(0, end));
    if (end < 0) return null;
    this.endCode();
    return line.slice(end + "[/code]".length);
  }

  private endCode(): void {
    if (this.code) this.html += `<pre>${escape(this.code.join("\n").replace(/^\n|\n$/g, ""))}</pre>`;
    this.code = null;
  }

  private container(isEnd: boolean, name: string): void {
    this.endBlock();
    const [begin, end] = CONTAINERS[name] ?? ["", ""];
    if (!isEnd && this.open.length < MAX_DEPTH) {
      this.open.push(end);
      this.html += begin;
    } else if (isEnd && this.open.includes(end)) {
      for (let last = this.open.pop(); last !== undefined; last = last === end ? undefined : this.open.pop())
        this.html += last;
    }
  }

  private endParagraph(): void {
    if (this.paragraph.length > 0) this.html += `<p>${inline(this.paragraph.join("\n")).replaceAll("\n", "<br>")}</p>`;
    this.paragraph = [];
  }

  private endBlock(): void {
    this.endParagraph();
    this.endList();
  }

  end(): string {
    this.endCode();
    this.endBlock();
    return this.html + this.open.toReversed().join("");
  }
}

/** Renders a text as HTML, in linear time. */
export function renderDText(text: string): string {
  const writer = new Writer();
  for (const line of text.replace(/<br\s*\/?>/gi, "\n").split(/\r\n|\r|\n/)) writer.line(line);
  return writer.end();
}
