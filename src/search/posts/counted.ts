/** Counts of related records, for meta-tags such as `comment_count:` and orders of the same names. */
import { type Sql, sql } from "../../database/client.js";

export interface Counted {
  /** in the singular, as in `comment_count` */
  name: string;
  plural: string;
  /** what is counted, in the plural */
  description: string;
  /** one row for each thing, with the column `post_id` */
  rows: Sql;
}

const TRUE = sql`TRUE`;

const rowsOf =
  (table: Sql) =>
  (which: Sql = TRUE): Sql =>
    sql`SELECT made.post_id FROM ${table} made WHERE ${which}`;

const childrenOf = (which: Sql): Sql =>
  sql`SELECT child.parent_id AS post_id FROM posts child WHERE child.parent_id IS NOT NULL AND ${which}`;

/** A series may contain a post twice, but counts as one pool. */
const placesIn = (which: Sql): Sql =>
  sql`SELECT unnest(uniq(sort(pools.post_ids))) AS post_id FROM pools WHERE ${which}`;

const counted = (name: string, plural: string, rows: Sql, description = plural): Counted => ({
  name,
  plural,
  description,
  rows,
});

/** Counts of all records, of those that are not deleted, and of deleted ones. @param isActive condition and its negation */
const byState = (name: string, plural: string, rows: (which: Sql) => Sql, isActive: [Sql, Sql]): Counted[] => [
  counted(name, plural, rows(TRUE)),
  counted(`active_${name}`, `active_${plural}`, rows(isActive[0]), `${plural} that are not deleted`),
  counted(`deleted_${name}`, `deleted_${plural}`, rows(isActive[1]), `deleted ${plural}`),
];

const activePools = (category: Sql): Sql => placesIn(sql`pools.category = ${category} AND NOT pools.is_deleted`);

export const COUNTED: readonly Counted[] = [
  ...byState("comment", "comments", rowsOf(sql`comments`), [sql`NOT made.is_deleted`, sql`made.is_deleted`]),
  ...byState("note", "notes", rowsOf(sql`notes`), [sql`made.is_active`, sql`NOT made.is_active`]),
  counted("flag", "flags", rowsOf(sql`post_flags`)()),
  counted("appeal", "appeals", rowsOf(sql`post_appeals`)()),
  counted("approval", "approvals", rowsOf(sql`post_approvals`)()),
  ...byState("child", "children", childrenOf, [sql`NOT child.is_deleted`, sql`child.is_deleted`]),
  ...byState("pool", "pools", placesIn, [sql`NOT pools.is_deleted`, sql`pools.is_deleted`]),
  counted("series_pool", "series_pools", activePools(sql`'series'`), "series that are not deleted"),
  counted("collection_pool", "collection_pools", activePools(sql`'collection'`), "collections that are not deleted"),
];

/** Posts with at least one record, with their number. */
export const countsOf = ({ rows }: Counted): Sql =>
  sql`SELECT thing.post_id, count(*)::int AS number FROM (${rows}) thing GROUP BY thing.post_id`;
