/** The columns of pools, and their names. */
import { type Db, type Queryable, type Sql, sql } from "../../database/client.js";
import { isStorable } from "../../lib/text.js";
import { parseId } from "../../search/posts/metatags/metatag.js";
import * as column from "../shared/columns.js";
import { History } from "../shared/history.js";
import { memberChanges, normalizeListName } from "../shared/post-list.js";
import { ReadModel } from "../shared/read-model.js";

/** A series has a reading order and may contain a post twice; a collection is a set. */
export type PoolCategory = "series" | "collection";

const poolState = {
  name: column.text,
  description: column.text,
  category: column.typed<PoolCategory>(sql`text`),
  /** in reading order */
  postIds: column.integers,
  /** whether posts are still being added */
  isActive: column.boolean,
  isDeleted: column.boolean,
};
export type PoolState = column.RecordOf<typeof poolState>;

const columns = { ...column.ofRecord, ...column.ofCreator, ...poolState, postCount: column.integer };
export type PoolRecord = column.RecordOf<typeof columns>;

export const pools = new ReadModel(columns, sql`pools AS t LEFT JOIN users u ON u.id = t.creator_id`);

export const poolHistory = new History({
  record: "pool",
  table: "pools",
  state: poolState,
  apart: ["isDeleted"],
  derived: ({ postIds }) => ({ postCount: postIds.length }),
  changes: {
    addedPostIds: column.integers,
    removedPostIds: column.integers,
    nameChanged: column.boolean,
    descriptionChanged: column.boolean,
  },
  compare: (before, after) => ({
    ...memberChanges(before?.postIds, after.postIds),
    nameChanged: before !== null && before.name !== after.name,
    descriptionChanged: before !== null && before.description !== after.description,
  }),
});

/** UTF-16 units; names have 170 characters at most. */
const LONGEST = 400;

/** The condition on `t` for the pool of this name, in any case; null for an impossible name. */
export function isNamed(name: string): Sql | null {
  const key = normalizeListName(name);
  return key === "" || key.length > LONGEST || !isStorable(key) ? null : sql`lower(t.name) = lower(${key})`;
}

/** The id of the pool with this id or name, or null. Names never consist of digits only. */
export async function findPoolId(db: Db, key: string): Promise<number | null> {
  const id = /^\d+$/.test(key) ? parseId(key) : undefined;
  const condition = id === undefined ? isNamed(key) : id && sql`t.id = ${id}`;
  if (!condition) return null;
  const [row] = await db.query<{ id: number }>(sql`SELECT t.id FROM pools AS t WHERE ${condition}`);
  return row?.id ?? null;
}

/**
 * The ids of the first pools of each post, without deleted pools; posts without pools are absent.
 * @param limit maximum number for one post
 */
export async function poolIdsOfPosts(
  db: Queryable,
  postIds: readonly number[],
  limit: number,
): Promise<Map<number, number[]>> {
  const rows = await db.query<{ postId: number; poolIds: number[] }>(sql`
    SELECT post.id AS "postId", (array_agg(pools.id ORDER BY pools.id))[:${limit}::int] AS "poolIds"
      FROM unnest(${[...new Set(postIds)]}::int[]) AS post(id)
      JOIN pools ON pools.post_ids @> ARRAY[post.id] AND NOT pools.is_deleted
     GROUP BY post.id`);
  return new Map(rows.map((row) => [row.postId, row.poolIds]));
}
