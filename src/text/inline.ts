/** Renders inline DText as HTML. All text is escaped. */
import { toTagSpelling } from "../lib/names.js";
import { escape } from "../lib/text.js";

/** Half of a surrogate pair, which no URL can have, is a replacement character in it. */
const path = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("%2F", "/");
const anchor = (href: string, text: string): string => `<a href="${escape(href)}">${escape(text)}</a>`;
/** An external link, without credit by search engines and without a referrer. */
const outward = (href: string, text: string): string =>
  href.startsWith("/")
    ? anchor(href, text)
    : `<a href="${escape(href)}" rel="nofollow noreferrer ugc">${escape(text)}</a>`;

/** Records with a page, by the URL to which their id is appended. */
const RECORDS: Readonly<Record<string, string>> = {
  post: "/posts/",
  pool: "/posts?tags=ordpool:",
  comment: "/comments/",
  note: "/notes/",
};

interface Rule {
  pattern: RegExp;
  make: (...groups: string[]) => string;
}

const searchLink = (search: string, text: string): string => anchor(`/posts?tags=${path(search)}`, text);

/** A URL, and punctuation after it that belongs to the sentence, as a parenthesis that closes none of the URL. */
function withoutEnd(href: string): [url: string, end: string] {
  let length = href.length;
  let closing = href.split(")").length - href.split("(").length;
  while (length > 0 && ".,:;!?)]'\"".includes(href.charAt(length - 1))) {
    if (href.charAt(length - 1) === ")" && (closing -= 1) < 0) break;
    length -= 1;
  }
  return [href.slice(0, length), href.slice(length)];
}

function outwardWithEnd(href: string, text?: string): string {
  const [url, end] = withoutEnd(href);
  return outward(url, text ?? url) + escape(end);
}

/** Patterns of markup; of those that match at the same position, the first one counts. */
const RULES: readonly Rule[] = [
  {
    // browsers take a backslash for a slash, and two of them begin another host
    pattern: /"([^"\n]{1,500})":\[?((?:https?:\/\/|\/(?![/\\]))[^\s\]<>"]{1,2000})\]?/gi,
    make: (text, href) => outwardWithEnd(href, text),
  },
  {
    pattern: /\[\[([^[\]|\n]{1,200})\|([^[\]\n]{0,200})\]\]/g,
    make: (page, text) => searchLink(toTagSpelling(page), text || page),
  },
  { pattern: /\[\[([^[\]|\n]{1,200})\]\]/g, make: (page) => searchLink(toTagSpelling(page), page) },
  { pattern: /\{\{([^{}\n]{1,500})\}\}/g, make: (search) => searchLink(search, search) },
  {
    pattern: /\b(post|pool|comment|note) #(\d{1,9})\b/gi,
    make: (kind, id) => anchor(`${RECORDS[kind.toLowerCase()] ?? "/"}${id}`, `${kind} #${id}`),
  },
  { pattern: /(https?:\/\/[^\s[\]<>"]{1,2000})/gi, make: (href) => outwardWithEnd(href) },
  {
    pattern: /(?<![\p{L}\p{M}\p{N}_/])@([\p{L}\p{M}\p{N}_.-]{1,99}[\p{L}\p{M}\p{N}_-])/gu,
    make: (name) => searchLink(`user:${name}`, `@${name}`),
  },
];

interface Found {
  rule: Rule;
  match: RegExpExecArray | null;
}

function findFrom(text: string, from: number, rule: Rule): Found {
  rule.pattern.lastIndex = from;
  return { rule, match: rule.pattern.exec(text) };
}

/** The match that starts first. */
const firstOf = (found: readonly Found[]): Found | undefined =>
  found.reduce<Found | undefined>((first, each) => {
    if (!each.match) return first;
    return first?.match && first.match.index <= each.match.index ? first : each;
  }, undefined);

/** Renders links and other markup, and escapes the rest. */
function linked(text: string): string {
  let html = "";
  let at = 0;
  let found = RULES.map((rule) => findFrom(text, 0, rule));
  for (let next = firstOf(found); next?.match; next = firstOf(found)) {
    const { match, rule } = next;
    html += escape(text.slice(at, match.index)) + rule.make(...match.slice(1).map((group) => group ?? ""));
    at = match.index + match[0].length;
    const from = at;
    found = found.map((each) => (each.match && each.match.index < from ? findFrom(text, from, each.rule) : each));
  }
  return html + escape(text.slice(at));
}

/** Tags that are open at the same time; further ones are omitted, so that closing one takes constant time. */
const MOST_OPEN = 32;

/** A tag, but not the title of a link to a page, as in `[[s]]`. */
const TAG = /(?<!\[(?=\[\w+\]\]))[[<](\/?)(b|strong|i|em|u|s|tn|small|sub|sup)[\]>]/gi;
/** Elements of tags with other names. */
const ELEMENTS: Readonly<Record<string, string>> = { b: "strong", i: "em", tn: "small" };

/** Renders the text of a block. Unclosed tags are closed at its end; closing tags without an opening one are omitted. */
export function inline(text: string): string {
  const open: string[] = [];
  let html = "";
  let at = 0;
  for (const match of text.matchAll(TAG)) {
    html += linked(text.slice(at, match.index));
    at = match.index + match[0].length;
    const tag = (match[2] ?? "").toLowerCase();
    const element = ELEMENTS[tag] ?? tag;
    if (!match[1]) {
      if (open.length >= MOST_OPEN) continue;
      open.push(element);
      html += `<${element}>`;
    } else if (open.includes(element)) {
      // tags opened within it are closed with it
      for (let last = open.pop(); last !== undefined; last = last === element ? undefined : open.pop())
        html += `</${last}>`;
    }
  }
  html += linked(text.slice(at));
  return (
    html +
    open
      .toReversed()
      .map((element) => `</${element}>`)
      .join("")
  );
}
