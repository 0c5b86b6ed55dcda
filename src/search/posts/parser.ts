/**
 * A recursive-descent parser of post searches, with one method for each rule of the grammar (in `ast.ts`). Malformed text
 * matches nothing; it is not an error.
 */
import { failure } from "../../errors.js";
import { composedLower } from "../../lib/names.js";
import { isStorable } from "../../lib/text.js";
import { requireLength, SEARCH_BYTES } from "../bounds.js";
import { ALL, and, NONE, not, or, type Query } from "./ast.js";
import { Lexer, Malformed } from "./lexer.js";

/** Maps any name of a meta-tag, in lower case, to the canonical one; undefined for tags. */
export type MetatagLookup = (name: string) => string | undefined;

export interface ParsedSearch {
  query: Query;
  /** number of tags, wildcards and meta-tags in the text, including repeated ones */
  terms: number;
  /** its meta-tags as they are written in the text */
  written: ReadonlyMap<Query, string>;
  /** what is wrong with malformed text; otherwise null */
  malformed: string | null;
}

/** Maximum depth of nested groups, each of which takes four calls: far from a stack overflow. */
const MAX_DEPTH = 500;

/**
 * Parses a search. Malformed text is a search that matches nothing.
 * @throws BoardError 424 for text that is too long, too many terms, or too many nested groups; parsing stops there
 */
export function parseSearch(text: string, metatags: MetatagLookup, maxTerms: number): ParsedSearch {
  requireLength(text, SEARCH_BYTES);
  const parser = new Parser(new Lexer(text), metatags, maxTerms);
  try {
    return { query: parser.search(), terms: parser.terms, written: parser.written, malformed: null };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { query: NONE, terms: parser.terms, written: parser.written, malformed: error.message };
  }
}

/** The rules of the grammar. `parseSearch` limits the text. */
export class Parser {
  terms = 0;
  readonly written = new Map<Query, string>();
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

  /** Skips an "and", if it is next. */
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
    const textSince = this.lexer.mark();
    const name = this.lexer.acceptMetatag((each) => this.metatags(each) !== undefined);
    if (name === null) return tagTerm(this.lexer.word(this.openGroups));
    const term = metatagTerm(this.metatags(name) ?? name, this.lexer.value(this.openGroups));
    this.written.set(term, textSince());
    return term;
  }
}

function tagTerm(word: string): Query {
  const name = composedLower(word);
  if (name === "" || name === "and" || name === "or") throw new Malformed("a term is missing");
  if (!isStorable(name)) return NONE;
  return name.includes("*") ? { type: "wildcard", pattern: name } : { type: "tag", name, aliased: true };
}

/** A value that can't be stored matches nothing. `unaliased:` is another notation of a tag. */
function metatagTerm(name: string, value: string): Query {
  if (!isStorable(value)) return NONE;
  if (name === "unaliased") return literalTag(value);
  return { type: "metatag", name, value };
}

/**
 * The tag with exactly this name, without aliases, wildcards and meta-tags. Text with spaces matches nothing, like no tag.
 * @throws BoardError 424 for text that is too long
 */
export function literalTag(text: string): Query {
  requireLength(text, SEARCH_BYTES);
  const name = composedLower(text.trim());
  if (name === "" || /[\s\u0085]/u.test(name) || !isStorable(name)) return NONE;
  return { type: "tag", name, aliased: false };
}
