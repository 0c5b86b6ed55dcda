/** Conditions of lists that an index serves, so that all records that match are found without reading the others. */
import { join, type Sql, sql } from "../database/client.js";

const served = new WeakSet<Sql>();

/**
 * Marks a condition that an index serves, and that may hold for few records, or only for some that are last in the order of a list. PostgreSQL assumes
 * that records are evenly distributed, and would read all others first, which takes seconds where each of them has to be compared with a text.
 */
export function indexed(condition: Sql): Sql {
  served.add(condition);
  return condition;
}

/** Whether a condition is marked. */
export const isIndexed = (condition: Sql): boolean => served.has(condition);

/** The condition, marked if the one that narrows it down is. */
export const indexedBy = (narrow: Sql, condition: Sql): Sql => (isIndexed(narrow) ? indexed(condition) : condition);

/** The same condition by an index that has the keys of all records that match, read at once. */
export interface Lookup {
  condition: Sql;
  /** the greatest number of keys, and their share of all */
  keys: number;
  share: number;
}

/** of the slow conditions */
const lookups = new WeakMap<Sql, Lookup | undefined>();

/** Marks a condition that no index serves, and that takes microseconds to test on each record. @param lookup for records that are not soon found */
export function slow(condition: Sql, lookup?: Lookup): Sql {
  lookups.set(condition, lookup);
  return condition;
}

/** What finds the records of a slow condition by an index; undefined if nothing does. */
export const lookupOf = (condition: Sql): Lookup | undefined => lookups.get(condition);

/** Whether a condition is marked as slow. */
export const isSlow = (condition: Sql): boolean => lookups.has(condition);

/** Any of the conditions, marked if all of them are. */
export function anyOf(conditions: readonly Sql[]): Sql {
  const any = sql`(${join([...conditions], " OR ")})`;
  return conditions.every(isIndexed) ? indexed(any) : any;
}

/** In a pattern without escapes: three letters in succession, or those of a word's start or end, with the blanks that the index adds to words. */
const TRIGRAM = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}%_][\p{L}\p{N}]|[\p{L}\p{N}]{2}(?:[^\p{L}\p{N}%_]|$)/u;

/**
 * The condition that a text with an index of trigrams is like a pattern. For a pattern without trigrams that begins with a wildcard, the index would
 * return all records to be compared one by one, so it is not used.
 * @param unindexed the text as an expression that no index has
 */
export function like(text: Sql, pattern: string, unindexed = sql`(${text} || '')`): Sql {
  const plain = pattern.replace(/\\[%_\\]/g, " ");
  const isServed = !/^[%_]/.test(pattern) || TRIGRAM.test(plain);
  return isServed ? indexed(sql`${text} LIKE ${pattern}`) : slow(sql`${unindexed} LIKE ${pattern}`);
}

/** As `like`, of names joined by blanks. PostgreSQL does not inline the function of the index, which takes ten times as long as its body. */
export const namesLike = (names: Sql, pattern: string): Sql =>
  like(sql`names_text(${names})`, pattern, sql`lower(array_to_string(${names}, ' '))`);
