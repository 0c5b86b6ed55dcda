/**
 * Cuts the text of a search into pieces on the parser's demand: what a piece is depends on where it stands (`or` between
 * terms is a word of the grammar, `)` may belong to a tag), so that there is no list of tokens.
 */

/** U+0085 is a blank of Unicode that `\s` leaves out. */
const BLANKS = /[\s\u0085]*/uy;
const OPERATOR = /(and|or)(?=[\s\u0085])/iuy;
const WORD = /[^\s\u0085]+/uy;
const METATAG = /([a-z0-9_]+):/iuy;
/** Blanks within a value are written `\ `. */
const BARE_VALUE = /(?:\\[\s\u0085]|[^\s\u0085])*/uy;
const QUOTED = { '"': /"((?:[^"\\]|\\.)*)"/suy, "'": /'((?:[^'\\]|\\.)*)'/suy } as const;

/** Tags that may end in a parenthesis which nothing opens or closes. */
const SMILEYS: ReadonlySet<string> = new Set([":)", ":(", ";)", ";(", ">:)", ">:("]);

/** A search that the grammar does not know. Never leaves the parser. */
export class Malformed extends Error {}

/** True when every parenthesis that closes was opened before, and all that were opened are closed. */
function isBalanced(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === "(") open += 1;
    if (character === ")" && --open < 0) return false;
  }
  return open === 0;
}

export class Lexer {
  private position = 0;

  constructor(private readonly text: string) {}

  /** The next character that is not a blank, still unread; empty at the end of the text. */
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

  /** The word `and` or `or` if it comes next and a blank follows it; still unread. */
  peekOperator(): "and" | "or" | null {
    const start = this.position;
    const operator = this.acceptOperator();
    this.position = start;
    return operator;
  }

  /** Reads the word `and` or `or` if it comes next and a blank follows it. */
  acceptOperator(): "and" | "or" | null {
    this.peek();
    const word = this.match(OPERATOR)?.[1]?.toLowerCase();
    return word === "and" || word === "or" ? word : null;
  }

  /** Reads `name:` if the name, in lower case, is one of those known. */
  acceptMetatag(isKnown: (name: string) => boolean): string | null {
    const start = this.position;
    const name = this.match(METATAG)?.[1]?.toLowerCase();
    if (name !== undefined && isKnown(name)) return name;
    this.position = start;
    return null;
  }

  /** Reads a tag: everything up to a blank, without the parentheses that close groups. */
  word(openGroups: number): string {
    return this.leaveClosing(this.match(WORD)?.[0] ?? "", openGroups);
  }

  /** Reads the value of a meta-tag: quoted, or up to a blank. @throws Malformed for a quote that does not end */
  value(openGroups: number): string {
    const quote = this.text.charAt(this.position);
    if (quote !== '"' && quote !== "'") {
      const bare = this.leaveClosing(this.match(BARE_VALUE)?.[0] ?? "", openGroups);
      return bare.replace(/\\([\s\u0085])/gu, "$1");
    }
    const inner = this.match(QUOTED[quote])?.[1];
    if (inner === undefined) throw new Malformed("a quote does not end");
    return inner.replace(/\\(["'\\])/g, "$1");
  }

  /**
   * A closing parenthesis at the end of a word belongs to the word while its parentheses balance, as in `(a or b_(c))`;
   * otherwise it closes a group, if one is open, and is put back.
   */
  private leaveClosing(text: string, openGroups: number): string {
    let word = text;
    for (let open = openGroups; open > 0 && word.endsWith(")"); open -= 1) {
      if (isBalanced(word) || SMILEYS.has(word)) break;
      word = word.slice(0, -1);
      this.position -= 1;
    }
    return word;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (found) this.position += found[0].length;
    return found;
  }
}
