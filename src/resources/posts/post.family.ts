/**
 * Parents and children: validation, locks and flags. Whatever changes parents, or a state that their flags depend on, locks the families
 * first and then the rows of all relatives in the order of their ids, so that no two such transactions deadlock.
 */
import { type Db, sql } from "../../database/client.js";
import { lockKey } from "../../database/lock.js";
import { invalid } from "../../errors.js";
import type { TagActions } from "../../tagging/tag-actions.js";
import { MAX_INT } from "../../lib/integers.js";
import { lockPost, type PostRecord } from "./post.records.js";

/** The relatives in an edit or upload. */
export interface Relatives {
  parentId?: number | null | undefined;
  notParentId?: number | undefined;
  children?: TagActions["children"] | undefined;
}

/**
 * Locks what a change of parents affects until the transaction ends, if the edit is one: the posts with their old and new parents.
 * To be called before any post is locked.
 * @param postId null for a post that does not exist yet
 */
export async function lockFamily(db: Db, postId: number | null, relatives: Relatives): Promise<void> {
  const { parentId, notParentId, children = [] } = relatives;
  if (parentId === undefined && notParentId === undefined && children.length === 0) return;
  const named = [postId, parentId, ...children.map((child) => child.id)].filter((id) => typeof id === "number");
  const withChildren = children.some((child) => child.id === "all");
  await lockRelatives(db, named, withChildren ? postId : null);
}

/** Locks a post and its parent until the transaction ends. To be called before any other post is locked. */
export async function lockWithParent(db: Db, id: number): Promise<PostRecord | null> {
  await lockRelatives(db, [id]);
  return lockPost(db, id);
}

/**
 * Locks a post that will be deleted, its parent and its children until the transaction ends, and waits for transactions that are about to
 * refer to them. To be called before any other post is locked.
 */
export async function lockForDeletion(db: Db, id: number): Promise<PostRecord | null> {
  await lockRelatives(db, [id], id, sql`FOR UPDATE`);
  return lockPost(db, id);
}

/**
 * Locks out all other changes of parents, then the rows of the posts, their parents, and the children of one. Their ids are found first:
 * for alternatives that include a subquery, PostgreSQL would read all posts.
 */
async function lockRelatives(
  db: Db,
  postIds: readonly number[],
  parentId: number | null = null,
  strength = sql`FOR NO KEY UPDATE`,
): Promise<void> {
  const ids = postIds.map((id) => Math.min(id, MAX_INT));
  await lockKey(db, "families");
  await db.execute(sql`
    SELECT FROM posts
     WHERE id = ANY(ARRAY(SELECT unnest(${ids}::int[])
                          UNION ALL SELECT parent_id FROM posts WHERE id = ANY(${ids}::int[])
                          UNION ALL SELECT id FROM posts WHERE parent_id = ${parentId}::int))
     ORDER BY id ${strength}`);
}

/**
 * A parent must exist, be another post, and not descend from this one. Requires `lockFamily`.
 * @throws BoardError 420
 */
export async function checkParent(db: Db, postId: number | null, parentId: number): Promise<void> {
  if (parentId === postId) throw invalid("parent", "own_parent");
  const ancestors = await db.query<{ id: number }>(sql`
    WITH RECURSIVE line(id) AS (
      SELECT id FROM posts WHERE id = ${parentId}
      UNION SELECT p.parent_id FROM posts p JOIN line USING (id) WHERE p.parent_id IS NOT NULL
    ) SELECT id FROM line`);
  if (ancestors.length === 0) throw invalid("parent", "does_not_exist");
  if (ancestors.some((ancestor) => ancestor.id === postId)) throw invalid("parent", "cycle");
}

/**
 * Updates `has_children` and `has_active_children` of posts whose rows an earlier statement has locked: a statement that
 * waits for a row computes the flags from what was committed before the wait.
 */
export async function refreshParents(db: Db, ids: readonly (number | null)[]): Promise<void> {
  const parents = ids.filter((id) => id !== null);
  if (parents.length === 0) return;
  await db.execute(sql`
    UPDATE posts p SET
      has_children = EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id),
      has_active_children = EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id AND NOT c.is_deleted)
     WHERE id = ANY(${parents}::int[])`);
}
