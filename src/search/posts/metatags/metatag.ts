/** What a meta-tag is. The rows are in the files beside this one, `index.ts` has them all. */
import type { Viewer } from "../../../runtime/auth/viewer.js";
import { type Sql, sql } from "../../../database/client.js";
import type { Order } from "../orders.js";
import { type Measure, rangeSql } from "./ranges.js";

/** What the meaning of a search depends on besides its text. */
export interface SearchContext {
  viewer: Viewer;
  now: Date;
}

/** A row of the registry. Names and examples go to the documentation as they are. */
export interface Metatag {
  name: string;
  aliases?: readonly string[];
  /** what a value looks like */
  value: string;
  description: string;
  examples: readonly string[];
  /** values that are words, to be suggested while one is typed */
  words?: readonly string[];
  /** values that are names, to be suggested while one is typed */
  names?: "user" | "pool" | "tag";
  /**
   * The condition on `posts`, or null for a value that means nothing and so matches nothing. A condition that is NULL
   * counts as false, also beneath a negation. Absent on those that match every post.
   */
  toSql?: (value: string, context: SearchContext) => Sql | null;
  /**
   * What else is true of the ids of all posts that `toSql` passes, present where that spares a walk by id a long way: times
   * go up with ids, which PostgreSQL does not know, so that it would come from the newest post to those of ten years ago.
   */
  bound?: (value: string, context: SearchContext) => Sql | null;
  /**
   * The best way to what it matches depends on the value (all widths over 1, or over 20,000), so that PostgreSQL has to know
   * it; all others are planned once, whatever their value.
   */
  isPlannedByValue?: boolean;
  /** Present on those that order the result; null leaves the order as it is. */
  order?: (value: string, context: SearchContext) => Order | null;
  /** Present on those that say how many posts a page has; null leaves it as it is. */
  limit?(value: string): number | null;
  /** True for a value that leaves nothing to be shown. */
  isEmpty?(value: string): boolean;
}

/** Rows that shape the whole result, so that they can neither be negated nor be one of several alternatives. */
export const isDirective = (row: Metatag): boolean => row.order !== undefined || row.limit !== undefined;

/** A row that compares an expression with ranges of values. */
export function measured(
  name: string,
  expression: Sql,
  measure: Measure | ((now: Date) => Measure),
  description: string,
  examples: readonly string[],
  aliases: readonly string[] = [],
): Metatag {
  const measureAt = typeof measure === "function" ? measure : () => measure;
  return {
    name,
    aliases,
    value: `${measureAt(new Date(0)).name}; ranges, lists, any, none`,
    description,
    examples,
    toSql: (value, { now }) => rangeSql(expression, value, measureAt(now)),
    isPlannedByValue: true,
  };
}

/** Looks a word up in a table that users must not reach the prototype of; null when it is not there. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, word: string): T | null => {
  const key = word.trim().toLowerCase();
  return Object.hasOwn(table, key) ? (table[key] as T) : null;
};

/** The words of a list; null when one of them is unknown, or there are none. */
export function eachOf<T>(text: string, read: (word: string) => T | null): T[] | null {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const found = words.map(read).filter((item) => item !== null);
  return words.length > 0 && found.length === words.length ? found : null;
}

/** An id as users write it; null for text that is none, or a number that no id can be. */
export function parseId(text: string): number | null {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : null;
  return id !== null && id <= 2_147_483_647 ? id : null;
}

/** A literal of an array of ids: one parameter, however many there are. */
export const idArray = (ids: readonly number[]): Sql => sql`${`{${ids.join(",")}}`}::int[]`;
