/** Numbers of related records, which triggers keep in `post_counts`, for meta-tags such as `comment_count:` and orders of the same names. */
import { constant, type Sql, sql } from "../../database/client.js";
import { withNegation } from "./not.js";

export interface Counted {
  /** in the singular, as in `comment_count` */
  name: string;
  plural: string;
  /** what is counted, in the plural */
  description: string;
}

const counted = (name: string, plural: string, description = plural): Counted => ({ name, plural, description });

/** The condition on a row of `post_counts`, as `counted`, that it counts these. */
export const isKind = (plural: string): Sql => sql`counted.kind = ${constant(plural)}`;

/** Counts of all records, of those that are not deleted, and of deleted ones. */
const byState = (name: string, plural: string): Counted[] => [
  counted(name, plural),
  counted(`active_${name}`, `active_${plural}`, `${plural} that are not deleted`),
  counted(`deleted_${name}`, `deleted_${plural}`, `deleted ${plural}`),
];

export const COUNTED: readonly Counted[] = [
  ...byState("comment", "comments"),
  ...byState("note", "notes"),
  counted("flag", "flags"),
  counted("appeal", "appeals"),
  counted("approval", "approvals"),
  ...byState("child", "children"),
  ...byState("pool", "pools"),
  counted("series_pool", "series_pools", "series that are not deleted"),
  counted("collection_pool", "collection_pools", "collections that are not deleted"),
];

const TRUE = sql`TRUE`;

/**
 * The condition that a post has some of a kind. Negated, it is a lookup for each post, by OFFSET 0: PostgreSQL would compare all rows of a kind with each
 * post if it expects few, as of one that is newer than its statistics.
 * @param which on `counted.number`
 */
export function hasSome(plural: string, which: Sql = TRUE): Sql {
  const row = sql`SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND ${isKind(plural)} AND ${which}`;
  return withNegation(sql`EXISTS (${row})`, sql`NOT EXISTS (${row} OFFSET 0)`);
}
