/** Counts of related records, for meta-tags such as `comment_count:` and orders of the same names. */
import { identifier, type Sql, sql } from "../../database/client.js";

export interface Counted {
  /** in the singular, as in `comment_count` */
  name: string;
  plural: string;
  /** what is counted, in the plural */
  description: string;
  /** the `post_id` of each post that has any, and their `number` */
  counts: Sql;
}

const TRUE = sql`TRUE`;

/** @param rows one for each thing, with the column `post_id` */
const grouped = (rows: Sql): Sql =>
  sql`SELECT thing.post_id, count(*)::int AS number FROM (${rows}) thing GROUP BY thing.post_id`;

const rowsOf =
  (table: Sql) =>
  (which: Sql = TRUE): Sql =>
    grouped(sql`SELECT made.post_id FROM ${table} made WHERE ${which}`);

const childrenOf = (which: Sql): Sql =>
  grouped(sql`SELECT child.parent_id AS post_id FROM posts child WHERE child.parent_id IS NOT NULL AND ${which}`);

const counted = (name: string, plural: string, counts: Sql, description = plural): Counted => ({
  name,
  plural,
  description,
  counts,
});

/** The numbers of pools, which triggers keep. */
function pools(plural: string, description?: string): Counted {
  const number = sql`pooled.${identifier(plural)}`;
  const counts = sql`SELECT pooled.post_id, ${number} AS number FROM pooled_posts pooled WHERE ${number} > 0`;
  return counted(plural.slice(0, -1), plural, counts, description);
}

/** Counts of all records, of those that are not deleted, and of deleted ones. @param isActive condition and its negation */
const byState = (name: string, plural: string, countsOf: (which: Sql) => Sql, isActive: [Sql, Sql]): Counted[] => [
  counted(name, plural, countsOf(TRUE)),
  counted(`active_${name}`, `active_${plural}`, countsOf(isActive[0]), `${plural} that are not deleted`),
  counted(`deleted_${name}`, `deleted_${plural}`, countsOf(isActive[1]), `deleted ${plural}`),
];

export const COUNTED: readonly Counted[] = [
  ...byState("comment", "comments", rowsOf(sql`comments`), [sql`NOT made.is_deleted`, sql`made.is_deleted`]),
  ...byState("note", "notes", rowsOf(sql`notes`), [sql`made.is_active`, sql`NOT made.is_active`]),
  counted("flag", "flags", rowsOf(sql`post_flags`)()),
  counted("appeal", "appeals", rowsOf(sql`post_appeals`)()),
  counted("approval", "approvals", rowsOf(sql`post_approvals`)()),
  ...byState("child", "children", childrenOf, [sql`NOT child.is_deleted`, sql`child.is_deleted`]),
  pools("pools"),
  pools("active_pools", "pools that are not deleted"),
  pools("deleted_pools", "deleted pools"),
  pools("series_pools", "series that are not deleted"),
  pools("collection_pools", "collections that are not deleted"),
];
