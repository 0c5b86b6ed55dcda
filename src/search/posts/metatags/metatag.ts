/** The definition of a meta-tag. The rows are in the files beside this one; `index.ts` has them all. */
import type { Viewer } from "../../../runtime/auth/viewer.js";
import { type Sql, sql } from "../../../database/client.js";
import type { Order } from "../orders.js";
import { withNegation } from "../not.js";
import { isOneNumber, type Measure, rangeSql } from "./ranges.js";
import { MAX_INT } from "../../../lib/integers.js";

/** What the meaning of a search depends on besides its text. */
export interface SearchContext {
  viewer: Viewer;
  now: Date;
}

/** Of the posts of a period. */
export type End = "newest" | "oldest";

/** A row of the registry. Names and examples are used in the documentation. */
export interface Metatag {
  name: string;
  aliases?: readonly string[];
  /** the format of a value */
  value: string;
  description: string;
  examples: readonly string[];
  /** values that are words, for suggestions */
  words?: readonly string[];
  /** values that are names, for suggestions */
  names?: "user" | "pool" | "tag";
  /**
   * The condition on `posts`, or null for an invalid value, which matches nothing. A condition that is NULL
   * counts as false, also below a negation. Absent for those that match every post.
   */
  toSql?: (value: string, context: SearchContext) => Sql | null;
  /**
   * A further condition on the ids of all posts that match `toSql`, of the newest or the oldest of them, present if it shortens a walk by
   * id: times increase with ids, which PostgreSQL does not know, so it would walk from the newest post to those of ten years ago.
   */
  bound?: (value: string, context: SearchContext, end: End) => Sql | null;
  /**
   * Whether the best plan depends on the value (all widths over 1, or over 20,000), so that PostgreSQL has to know
   * it; all others are planned once for all values.
   */
  isPlannedByValue?: boolean;
  /** Whether an index has the posts of a value in the order of their ids. */
  isInOrder?: (value: string) => boolean;
  /** Whether most posts of a value have successive ids, starting at the `bound` of a walk. */
  isPeriod?: (value: string) => boolean;
  /** Selects the ids of all posts of a value, if a row of another table lists them; null for other values. */
  members?: (value: string, context: SearchContext) => Sql | null;
  /**
   * Selects the ids of all posts of a value from an index, any of them soon, but in another order, and some more than once; null for
   * other values. If there are few, a page is found by sorting them.
   */
  ids?: (value: string, context: SearchContext) => Sql | null;
  /** Whether PostgreSQL's statistics tell how many posts a value has, so that its `ids` are read only beside tags, if these are few. */
  isEstimated?: boolean;
  /** Whether an index has the ids of all posts of any value, so that no post has to be read for them. */
  isCovered?: boolean;
  /** Whether indexes find the posts of any value, in whatever order. */
  isIndexed?: boolean;
  /** Present for those that order the result; null leaves the order unchanged. */
  order?: (value: string, context: SearchContext) => Order | null;
  /** Present for those that set the page size; null leaves it unchanged. */
  limit?(value: string): number | null;
  /** Present for those that limit the number of posts on all pages together; 0 for an invalid value. */
  most?(value: string): number;
}

/** Rows that apply to the whole result, so they can neither be negated nor be one of several alternatives. */
export const isDirective = (row: Metatag): boolean => row.order !== undefined || row.limit !== undefined;

/** The index of an expression does not contain its columns, so that PostgreSQL reads the posts as well. */
const COLUMN = /^posts\.[a-z_]+$/;

/** A row that compares an expression, indexed together with the ids, with ranges of values. @param isNullable whether some posts have no value */
export function measured(
  name: string,
  expression: Sql,
  measure: Measure | ((now: Date) => Measure),
  description: string,
  examples: readonly string[],
  aliases: readonly string[] = [],
  isNullable = false,
): Metatag {
  const measureAt = typeof measure === "function" ? measure : () => measure;
  return {
    name,
    aliases,
    value: `${measureAt(new Date(0)).name}; ranges, lists, any, none`,
    description,
    examples,
    toSql: (value, { now }) => {
      const condition = rangeSql(expression, value, measureAt(now), isNullable);
      return condition && !isNullable ? withNegation(condition, sql`NOT (${condition})`) : condition;
    },
    isPlannedByValue: true,
    isInOrder: (value) => isOneNumber(value, measureAt(new Date(0))),
    isCovered: COLUMN.test(expression.text),
    isIndexed: true,
  };
}

/** The condition that a post is among the `members` of a value. */
export const amongMembers = (members: Sql | null): Sql | null => members && sql`posts.id IN (${members})`;

/** The condition that a post has a row in another table, as `made`. */
export const having = (table: Sql): Sql => sql`EXISTS (SELECT 1 FROM ${table} made WHERE made.post_id = posts.id)`;

/** Looks a word up in a table without reaching its prototype; null if it is not there. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, word: string): T | null => {
  const key = word.trim().toLowerCase();
  return Object.hasOwn(table, key) ? (table[key] as T) : null;
};

/** The words of a list; null if one of them is unknown, or there are none. */
export function eachOf<T>(text: string, read: (word: string) => T | null): T[] | null {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const found = words.map(read).filter((item) => item !== null);
  return words.length > 0 && found.length === words.length ? found : null;
}

/** An id as entered by users; null for other text, or a number beyond the range of ids. */
export function parseId(text: string): number | null {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : null;
  return id !== null && id <= MAX_INT ? id : null;
}
