/**
 * Splits the text of a search into tokens on the parser's demand: their kind depends on the context (`or` between
 * terms is an operator, `)` may belong to a tag), so there is no list of tokens.
 *
 * A single pass: every pattern below matches at any position, at least the empty text, so no text is read twice
 * except parentheses that close groups, each of which is read once more by the parser.
 */

/** U+0085 is Unicode white space that `\s` does not match. */
const BLANKS = /[\s\u0085]*/uy;
const OPERATOR = /(?:(and|or)(?=[\s\u0085]))?/iuy;
const WORD = /[^\s\u0085]*/uy;
const NAME = /[a-z0-9_]*/iuy;
/** Spaces within a value are written `\ `. */
const BARE_VALUE = /(?:\\[\s\u0085]|[^\s\u0085])*/uy;
/** The text between quotes, up to the closing one or the end of the text. */
const QUOTED = { '"': /[^"\\]*(?:\\.[^"\\]*)*/suy, "'": /[^'\\]*(?:\\.[^'\\]*)*/suy } as const;

/** The emoticons `:)`, `;)` and `>:)` are tags although their parentheses don't balance. */
const EYES: ReadonlySet<string> = new Set([":", ";", ">:"]);

/** An invalid search. Only thrown within the parser. */
export class Malformed extends Error {}

/** A text that was in quotes, in which `\"`, `\'` and `\\` stand for the characters themselves. */
export const unescaped = (quoted: string): string => quoted.replace(/\\(["'\\])/g, "$1");

/** Number of parentheses still open at the end of a text; 0 for a text that closes one before it is opened. */
function unclosed(text: string): number {
  let open = 0;
  for (const character of text) {
    if (character === "(") open += 1;
    if (character === ")" && --open < 0) return 0;
  }
  return open;
}

/** Number of closing parentheses at the end of a text. */
function countClosing(text: string): number {
  let start = text.length;
  while (text[start - 1] === ")") start -= 1;
  return text.length - start;
}

export class Lexer {
  /** Characters read so far: at most a fixed multiple of the text's length. */
  steps = 0;
  private position = 0;

  constructor(private readonly text: string) {}

  /** @returns gives the text from here to where the lexer is by then */
  mark(): () => string {
    const start = this.position;
    return () => this.text.slice(start, this.position);
  }

  /** The next character that is not white space, without reading it; empty at the end of the text. */
  peek(): string {
    this.match(BLANKS);
    return this.text.charAt(this.position);
  }

  /** Reads the character if it comes next. */
  accept(character: string): boolean {
    if (this.peek() !== character) return false;
    this.position += 1;
    return true;
  }

  /** The word `and` or `or` if it is next and followed by white space, without reading it. */
  peekOperator(): "and" | "or" | null {
    this.peek();
    const start = this.position;
    const operator = this.acceptOperator();
    this.position = start;
    return operator;
  }

  /** Reads the word `and` or `or` if it is next and followed by white space. */
  acceptOperator(): "and" | "or" | null {
    this.peek();
    const word = this.match(OPERATOR).toLowerCase();
    return word === "and" || word === "or" ? word : null;
  }

  /** Reads `name:` if the name, in lower case, is a known one. */
  acceptMetatag(isKnown: (name: string) => boolean): string | null {
    const start = this.position;
    const name = this.match(NAME).toLowerCase();
    if (this.text.charAt(this.position) === ":" && isKnown(name)) {
      this.position += 1;
      return name;
    }
    this.position = start;
    return null;
  }

  /**
   * Reads a tag: everything up to white space, without the parentheses that close groups. A backslash before a parenthesis at
   * its beginning is removed: it means that no group begins here.
   */
  word(openGroups: number): string {
    return this.leaveClosing(this.match(WORD), openGroups).replace(/^\\(?=[()])/, "");
  }

  /** Reads the value of a meta-tag: quoted, or up to white space. @throws Malformed for an unclosed quote */
  value(openGroups: number): string {
    const quote = this.text.charAt(this.position);
    if (quote !== '"' && quote !== "'") {
      const bare = this.leaveClosing(this.match(BARE_VALUE), openGroups);
      return bare.replace(/\\([\s\u0085])/gu, "$1");
    }
    this.position += 1;
    const inner = this.match(QUOTED[quote]);
    if (this.text.charAt(this.position) !== quote) throw new Malformed("a quote does not end");
    this.position += 1;
    return unescaped(inner);
  }

  /**
   * A closing parenthesis at the end of a word belongs to the word while its parentheses balance, as in `(a or b_(c))`;
   * otherwise it closes a group, if one is open, and is put back.
   */
  private leaveClosing(word: string, openGroups: number): string {
    const closing = openGroups > 0 ? countClosing(word) : 0;
    if (closing === 0) return word;
    const stem = word.slice(0, word.length - closing);
    this.steps += word.length;
    const balancing = EYES.has(stem) ? 1 : unclosed(stem);
    const own = balancing <= closing ? balancing : 0;
    const left = Math.min(openGroups, closing - own);
    this.position -= left;
    return word.slice(0, word.length - left);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.position += found.length;
    this.steps += found.length + 1;
    return found;
  }
}
