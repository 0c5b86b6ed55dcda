/**
 * Values of meta-tags that are compared:
 *
 *   value  = item { "," item }            any of them
 *   item   = "any" | "none"               has some value, has none
 *          | end ".." end                 between, ends included, in either order; "..." leaves the upper end out
 *          | ( "<=" | ".." ) end          at most
 *          | "<" end                      less
 *          | ">=" end | end ".."          at least
 *          | ">" end                      more
 *          | end                          equal, within the tolerance of its kind (the whole day, 5 %)
 *
 * A value with an invalid item is invalid, and matches nothing.
 */
import { join, type Sql, sql } from "../../../database/client.js";

export interface Bound {
  value: number;
  inclusive: boolean;
}

/** Numbers between two bounds, each of which may be absent. */
export interface Span {
  from?: Bound | undefined;
  to?: Bound | undefined;
}

export type Item = Span | "any" | "none";

/** A kind of value: how an end is parsed, what a single value matches, and its SQL. */
export interface Measure {
  /** for the documentation */
  readonly name: string;
  /** format of a value, for the documentation */
  readonly form: string;
  /** what a single value matches if it is not exactly this number, for the documentation */
  readonly alone?: string;
  /** null if the text is invalid */
  parse(text: string): number | null;
  /** the span of a single value; by default exactly that number */
  bare?(text: string): Span | null;
  /** converts parsed spans: those of ages are reversed, since older means earlier */
  turn?(span: Span): Span;
  /** the type of the values in PostgreSQL */
  readonly sqlType: Sql;
  /** the number as a literal of that type */
  literal(value: number): string;
  /** smallest and largest number of the SQL type: beyond them the result of a comparison is known */
  readonly limits?: readonly [number, number];
}

/** A list of ids is one parameter, however long, but each span takes two, and PostgreSQL accepts 65,535 per statement. */
const MAX_ITEMS = 10_000;
const MAX_SPANS = 200;

/** Parses a value; null if it, or a part of it, is invalid. */
export function parseItems(text: string, measure: Measure): Item[] | null {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length === 0 || parts.length > MAX_ITEMS) return null;
  const items: Item[] = [];
  for (const part of parts) {
    const item = parseItem(part, measure);
    if (item === null) return null;
    items.push(typeof item === "string" ? item : (measure.turn?.(item) ?? item));
  }
  return items;
}

/** The forms in the order in which they are tried, each with the span of the ends that it captures. */
const FORMS: readonly [RegExp, (first: number, second: number) => Span][] = [
  [/^(.+?)\.\.\.(.+)$/su, (a, b) => between(a, b, false)],
  [/^(.+?)\.\.(.+)$/su, (a, b) => between(a, b, true)],
  [/^(?:<=|\.\.)(.+)$/su, (value) => ({ to: { value, inclusive: true } })],
  [/^<(.+)$/su, (value) => ({ to: { value, inclusive: false } })],
  [/^(?:>=(.+)|(.+)\.\.)$/su, (value) => ({ from: { value, inclusive: true } })],
  [/^>(.+)$/su, (value) => ({ from: { value, inclusive: false } })],
];

function parseItem(text: string, measure: Measure): Item | null {
  const word = text.toLowerCase();
  if (word === "any" || word === "none") return word;
  for (const [form, toSpan] of FORMS) {
    const match = form.exec(text);
    if (!match) continue;
    const ends = match
      .slice(1)
      .filter((end) => end !== undefined)
      .map((end) => measure.parse(end.trim()));
    const [first, second = first] = ends;
    return first === null || second === null || first === undefined || second === undefined
      ? null
      : toSpan(first, second);
  }
  return measure.bare ? measure.bare(text) : exactly(measure.parse(text));
}

const exactly = (value: number | null): Span | null => (value === null ? null : between(value, value, true));

/** The span between two numbers, given in either order. */
export const between = (a: number, b: number, inclusive: boolean): Span => ({
  from: { value: Math.min(a, b), inclusive: true },
  to: { value: Math.max(a, b), inclusive },
});

/** Within five percent of the value. */
export const roughly = (value: number): Span => between(value * 0.95, value * 1.05, true);

/** Whether an item contains a number, before `turn`. */
export function includes(item: Item, number: number): boolean {
  if (typeof item === "string") return item === "any";
  const { from, to } = item;
  const isFromHere = !from || number > from.value || (from.inclusive && number === from.value);
  return isFromHere && (!to || number < to.value || (to.inclusive && number === to.value));
}

/** The span of a value that consists of one; null for other values. */
export function onlySpan(text: string, measure: Measure): Span | null {
  const [item, ...others] = parseItems(text, measure) ?? [];
  return typeof item === "object" && others.length === 0 ? item : null;
}

/** Whether a value is a single number, which is compared exactly. */
export function isOneNumber(text: string, measure: Measure): boolean {
  const span = onlySpan(text, measure);
  return span !== null && exactNumber(span) !== null;
}

/** The condition that a column (or expression) has a value; null if the value is invalid. @param isNullable whether the column may be NULL */
export function rangeSql(column: Sql, text: string, measure: Measure, isNullable = false): Sql | null {
  const items = parseItems(text, measure);
  if (items === null) return null;
  const spans = items.filter((item) => exactNumber(item) === null);
  if (spans.length > MAX_SPANS) return null;
  const exact = items.map(exactNumber).filter((value) => value !== null);
  const [any, none] = isNullable ? [sql`${column} IS NOT NULL`, sql`${column} IS NULL`] : [sql`TRUE`, sql`FALSE`];
  const tests = spans.map((item) => {
    if (item === "none") return none;
    return item === "any" ? any : (spanSql(column, item, measure) ?? any);
  });
  if (exact.length > 0) tests.push(oneOf(column, exact, measure));
  return tests.length === 1 ? (tests[0] as Sql) : sql`(${join(tests, " OR ")})`;
}

function oneOf(column: Sql, values: readonly number[], measure: Measure): Sql {
  const [least, greatest] = measure.limits ?? UNLIMITED;
  const literals = values.filter((value) => value >= least && value <= greatest).map((value) => measure.literal(value));
  if (literals.length === 0) return sql`FALSE`;
  if (literals.length === 1) return sql`${column} = ${literals[0]}::${measure.sqlType}`;
  return sql`${column} = ANY(${`{${literals.join(",")}}`}::${measure.sqlType}[])`;
}

const UNLIMITED = [-Infinity, Infinity] as const;

function exactNumber(item: Item): number | null {
  if (typeof item === "string" || !item.from || !item.to) return null;
  const isOne = item.from.value === item.to.value && item.from.inclusive && item.to.inclusive;
  return isOne ? item.from.value : null;
}

/** Null if every number is in the span. */
function spanSql(column: Sql, item: Span, measure: Measure): Sql | null {
  const [least, greatest] = measure.limits ?? UNLIMITED;
  const { from, to } = item;
  if ((from && from.value > greatest) || (to && to.value < least)) return sql`FALSE`;
  const tests: Sql[] = [];
  if (from && from.value >= least)
    tests.push(sql`${column} ${from.inclusive ? sql`>=` : sql`>`} ${valueSql(from.value, measure)}`);
  if (to && to.value <= greatest)
    tests.push(sql`${column} ${to.inclusive ? sql`<=` : sql`<`} ${valueSql(to.value, measure)}`);
  if (tests.length === 0) return null;
  return sql`(${join(tests, " AND ")})`;
}

const valueSql = (value: number, measure: Measure): Sql => sql`${measure.literal(value)}::${measure.sqlType}`;
