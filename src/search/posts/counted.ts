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

const rowsOf = (table: Sql, which: Sql): Sql => sql`SELECT made.post_id FROM ${table} made WHERE ${which}`;

const childrenOf = (which: Sql): Sql =>
  sql`SELECT child.parent_id AS post_id FROM posts child WHERE child.parent_id IS NOT NULL AND ${which}`;

/** A series may contain a post twice, but counts as one pool. */
const placesIn = (which: Sql): Sql =>
  sql`SELECT unnest(uniq(sort(pools.post_ids))) AS post_id FROM pools WHERE ${which}`;

const TRUE = sql`TRUE`;

export const COUNTED: readonly Counted[] = [
  { name: "comment", plural: "comments", description: "comments", rows: rowsOf(sql`comments`, TRUE) },
  {
    name: "active_comment",
    plural: "active_comments",
    description: "comments that are not deleted",
    rows: rowsOf(sql`comments`, sql`NOT made.is_deleted`),
  },
  {
    name: "deleted_comment",
    plural: "deleted_comments",
    description: "deleted comments",
    rows: rowsOf(sql`comments`, sql`made.is_deleted`),
  },
  { name: "note", plural: "notes", description: "notes", rows: rowsOf(sql`notes`, TRUE) },
  {
    name: "active_note",
    plural: "active_notes",
    description: "notes that are not deleted",
    rows: rowsOf(sql`notes`, sql`made.is_active`),
  },
  {
    name: "deleted_note",
    plural: "deleted_notes",
    description: "deleted notes",
    rows: rowsOf(sql`notes`, sql`NOT made.is_active`),
  },
  { name: "flag", plural: "flags", description: "flags", rows: rowsOf(sql`post_flags`, TRUE) },
  { name: "appeal", plural: "appeals", description: "appeals", rows: rowsOf(sql`post_appeals`, TRUE) },
  { name: "approval", plural: "approvals", description: "approvals", rows: rowsOf(sql`post_approvals`, TRUE) },
  { name: "child", plural: "children", description: "children", rows: childrenOf(TRUE) },
  {
    name: "active_child",
    plural: "active_children",
    description: "children that are not deleted",
    rows: childrenOf(sql`NOT child.is_deleted`),
  },
  {
    name: "deleted_child",
    plural: "deleted_children",
    description: "deleted children",
    rows: childrenOf(sql`child.is_deleted`),
  },
  { name: "pool", plural: "pools", description: "pools", rows: placesIn(TRUE) },
  {
    name: "active_pool",
    plural: "active_pools",
    description: "pools that are not deleted",
    rows: placesIn(sql`NOT pools.is_deleted`),
  },
  {
    name: "deleted_pool",
    plural: "deleted_pools",
    description: "deleted pools",
    rows: placesIn(sql`pools.is_deleted`),
  },
  {
    name: "series_pool",
    plural: "series_pools",
    description: "series that are not deleted",
    rows: placesIn(sql`pools.category = 'series' AND NOT pools.is_deleted`),
  },
  {
    name: "collection_pool",
    plural: "collection_pools",
    description: "collections that are not deleted",
    rows: placesIn(sql`pools.category = 'collection' AND NOT pools.is_deleted`),
  },
];

/** Posts with at least one record, with their number. */
export const countsOf = ({ rows }: Counted): Sql =>
  sql`SELECT thing.post_id, count(*)::int AS number FROM (${rows}) thing GROUP BY thing.post_id`;
