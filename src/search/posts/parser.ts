/**
 * The language of post searches, by recursive descent: one method for each rule of the grammar, which stands above the tree
 * in `ast.ts`. Text that does not follow the grammar finds nothing; it is no error.
 */
import { failure } from "../../errors.js";
import { isStorable } from "../../lib/text.js";
import { requireLength, SEARCH_BYTES } from "../bounds.js";
import { ALL, and, NONE, not, or, type Query } from "./ast.js";
import { Lexer, Malformed } from "./lexer.js";

/** What the names of meta-tags are: any spelling, in lower case, to the registry's own name; undefined for a tag. */
export type MetatagLookup = (name: string) => string | undefined;

export interface ParsedSearch {
  query: Query;
  /** tags, wildcards and meta-tags in the text, each as often as it was written */
  terms: number;
  /** what is wrong with text that does not follow the grammar; null for a search */
  malformed: string | null;
}

/** Groups within groups. Four calls each, the stack holds many times as many. */
const MAX_DEPTH = 500;

/**
 * Reads a search. Malformed text is no error, but the search that matches nothing.
 * @throws BoardError 424 for text that is too long, too many terms, and groups within too many groups; nothing is read of the
 *   first, and nothing beyond the others
 */
export function parseSearch(text: string, metatags: MetatagLookup, maxTerms: number): ParsedSearch {
  requireLength(text, SEARCH_BYTES);
  const parser = new Parser(new Lexer(text), metatags, maxTerms);
  try {
    return { query: parser.search(), terms: parser.terms, malformed: null };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { query: NONE, terms: parser.terms, malformed: error.message };
  }
}

/** The rules of the grammar. `parseSearch` bounds what they read. */
export class Parser {
  terms = 0;
  private openGroups = 0;

  constructor(
    private readonly lexer: Lexer,
    private readonly metatags: MetatagLookup,
    private readonly maxTerms: number,
  ) {}

  search(): Query {
    if (this.lexer.peek() === "") return ALL;
    const query = this.orClause();
    if (this.lexer.peek() !== "") throw new Malformed("a parenthesis closes nothing");
    return query;
  }

  private orClause(): Query {
    const clauses = [this.andClause()];
    while (this.lexer.acceptOperator() === "or") clauses.push(this.andClause());
    return or(clauses);
  }

  private andClause(): Query {
    const required: Query[] = [];
    const optional: Query[] = [];
    do {
      this.factor(required, optional);
    } while (this.hasMoreFactors());
    return and(optional.length > 0 ? [...required, or(optional)] : required);
  }

  /** Reads over an "and"; leaves everything else. */
  private hasMoreFactors(): boolean {
    const next = this.lexer.peek();
    if (next === "" || next === ")") return false;
    const operator = this.lexer.peekOperator();
    if (operator === "and") this.lexer.acceptOperator();
    return operator !== "or";
  }

  private factor(required: Query[], optional: Query[]): void {
    if (this.lexer.accept("-")) required.push(not(this.expression()));
    else if (this.lexer.accept("~")) optional.push(this.expression());
    else required.push(this.expression());
  }

  private expression(): Query {
    if (!this.lexer.accept("(")) return this.term();
    this.openGroups += 1;
    if (this.openGroups > MAX_DEPTH) throw failure("too_many_groups", { limit: MAX_DEPTH });
    const query = this.orClause();
    if (!this.lexer.accept(")")) throw new Malformed("a parenthesis is not closed");
    this.openGroups -= 1;
    return query;
  }

  private term(): Query {
    const next = this.lexer.peek();
    if (next === "" || next === ")" || next === "-" || next === "~") throw new Malformed("a term is missing");
    this.terms += 1;
    if (this.terms > this.maxTerms) throw failure("too_many_tags", { limit: this.maxTerms });
    const written = this.lexer.acceptMetatag((name) => this.metatags(name) !== undefined);
    if (written === null) return tagTerm(this.lexer.word(this.openGroups));
    return metatagTerm(this.metatags(written) ?? written, this.lexer.value(this.openGroups));
  }
}

function tagTerm(word: string): Query {
  const name = word.toLowerCase();
  if (name === "" || name === "and" || name === "or") throw new Malformed("a term is missing");
  if (!isStorable(name)) return NONE;
  return name.includes("*") ? { type: "wildcard", pattern: name } : { type: "tag", name, aliased: true };
}

/** A value that no column can hold matches nothing. `unaliased:` is not a condition but another way to write a tag. */
function metatagTerm(name: string, value: string): Query {
  if (!isStorable(value)) return NONE;
  if (name === "unaliased") return literalTag(value);
  return { type: "metatag", name, value };
}

/**
 * The tag of exactly this name: no aliases, wildcards or meta-tags. Tags contain no blanks, so neither may the text.
 * @throws BoardError 424 for text that is too long
 */
export function literalTag(text: string): Query {
  requireLength(text, SEARCH_BYTES);
  const name = text.trim().toLowerCase();
  if (name === "" || /[\s\u0085]/u.test(name) || !isStorable(name)) return NONE;
  return { type: "tag", name, aliased: false };
}
