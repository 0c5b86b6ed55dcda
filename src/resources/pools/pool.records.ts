/** Pools as they are read, and how they are named. */
import { type Db, type Sql, sql } from "../../database/client.js";
import { isStorable } from "../../lib/text.js";
import { parseId } from "../../search/posts/metatags/metatag.js";
import { ReadModel } from "../shared/read-model.js";

/** A series has an order in which it is read and may show a post twice; a collection is a set. */
export type PoolCategory = "series" | "collection";

export interface PoolRecord {
  id: number;
  name: string;
  creatorId: number;
  creatorName: string;
  description: string;
  category: PoolCategory;
  /** in reading order */
  postIds: number[];
  postCount: number;
  /** still being added to */
  isActive: boolean;
  isDeleted: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export const pools = new ReadModel<PoolRecord>(
  sql`t.id, t.name, t.creator_id AS "creatorId", u.name AS "creatorName", t.description, t.category,
  t.post_ids AS "postIds", t.post_count AS "postCount", t.is_active AS "isActive", t.is_deleted AS "isDeleted",
  t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
  sql`pools AS t JOIN users u ON u.id = t.creator_id`,
);

/** A name as it is stored: trimmed, runs of blanks are one underscore. */
export const normalizePoolName = (name: string): string => name.trim().replace(/\s+/gu, "_");

/** UTF-16 units; names have 170 characters at most. */
const LONGEST = 400;

/** The condition on `t` for the pool of this name, in any case; null for text that is no name. */
export function isNamed(name: string): Sql | null {
  const key = normalizePoolName(name);
  return key === "" || key.length > LONGEST || !isStorable(key) ? null : sql`lower(t.name) = lower(${key})`;
}

/** The id of the pool of this number or name, or null. A text of digits is a number: names are never digits only. */
export async function findPoolId(db: Db, text: string): Promise<number | null> {
  const id = /^\d+$/.test(text) ? parseId(text) : undefined;
  const condition = id === undefined ? isNamed(text) : id && sql`t.id = ${id}`;
  if (!condition) return null;
  const [row] = await db.$queryRaw<{ id: number }[]>`SELECT t.id FROM pools AS t WHERE ${condition}`;
  return row?.id ?? null;
}

/**
 * The ids of the first pools that each of the posts is in, deleted pools apart; posts without pools are absent.
 * @param limit most pools of one post
 */
export async function poolIdsOfPosts(
  db: Db,
  postIds: readonly number[],
  limit: number,
): Promise<Map<number, number[]>> {
  const rows = await db.$queryRaw<{ postId: number; poolIds: number[] }[]>`
    SELECT post.id AS "postId", (array_agg(pools.id ORDER BY pools.id))[:${limit}::int] AS "poolIds"
      FROM unnest(${[...new Set(postIds)]}::int[]) AS post(id)
      JOIN pools ON pools.post_ids @> ARRAY[post.id] AND NOT pools.is_deleted
     GROUP BY post.id`;
  return new Map(rows.map((row) => [row.postId, row.poolIds]));
}
