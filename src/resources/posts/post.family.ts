/** Parents and children: validation, and the locks and flags that follow. */
import { type Db, sql } from "../../database/client.js";
import { lockKey } from "../../database/lock.js";
import { invalid } from "../../errors.js";
import type { TagActions } from "../../tagging/tag-actions.js";
import { MAX_INT } from "../../lib/integers.js";

/** Locks out all other changes of parents until the transaction ends. */
export const lockFamilies = (db: Db): Promise<number> => lockKey(db, "families");

/** The relatives in an edit or upload. */
export interface Relatives {
  parentId?: number | null | undefined;
  notParentId?: number | undefined;
  children?: TagActions["children"] | undefined;
}

/**
 * Locks what a change of parents affects until the transaction ends: all other changes of parents, then the rows of the posts with their
 * old and new parents, in the order of their ids, so that no two edits deadlock. To be called before any post is locked.
 * @param postId null for a post that does not exist yet
 */
export async function lockFamily(db: Db, postId: number | null, relatives: Relatives): Promise<void> {
  const { parentId, notParentId, children = [] } = relatives;
  if (parentId === undefined && notParentId === undefined && children.length === 0) return;
  const named = [postId, parentId, ...children.map((child) => child.id)].filter((id) => typeof id === "number");
  const ids = named.map((id) => Math.min(id, MAX_INT));
  const withChildren = children.some((child) => child.id === "all");
  await lockFamilies(db);
  await db.execute(sql`
    SELECT FROM posts
     WHERE id = ANY(${ids}::int[]) OR id IN (SELECT parent_id FROM posts WHERE id = ANY(${ids}::int[]))
        OR (${withChildren} AND parent_id = ${postId}::int)
     ORDER BY id FOR NO KEY UPDATE`);
}

/**
 * A parent must exist, be another post, and not descend from this one. Requires `lockFamily`.
 * @throws BoardError 420
 */
export async function checkParent(db: Db, postId: number | null, parentId: number): Promise<void> {
  if (parentId === postId) throw invalid("parent", "own_parent");
  const ancestors = await db.query<{ id: number }>(sql`
    WITH RECURSIVE line(id) AS (
      SELECT id FROM posts WHERE id = ${Math.min(parentId, MAX_INT)}
      UNION SELECT p.parent_id FROM posts p JOIN line USING (id) WHERE p.parent_id IS NOT NULL
    ) SELECT id FROM line`);
  if (ancestors.length === 0) throw invalid("parent", "does_not_exist");
  if (ancestors.some((ancestor) => ancestor.id === postId)) throw invalid("parent", "cycle");
}

/**
 * Updates `has_children` and `has_active_children` of posts whose rows an earlier statement has locked (`lockFamily`): a statement that
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

/** As `refreshParents`, for deletions and approvals, which have locked only the child. */
export async function lockAndRefreshParents(db: Db, ids: readonly (number | null)[]): Promise<void> {
  const parents = ids.filter((id) => id !== null);
  if (parents.length === 0) return;
  await db.execute(sql`SELECT FROM posts WHERE id = ANY(${parents}::int[]) ORDER BY id FOR NO KEY UPDATE`);
  await refreshParents(db, parents);
}
