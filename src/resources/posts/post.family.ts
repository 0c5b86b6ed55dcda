/** Parents and children: who may be whose, and the locks and flags that follow. */
import { type Db, sql } from "../../database/client.js";
import { invalid } from "../../errors.js";
import type { TagActions } from "../../tagging/tag-actions.js";

const MAX_ID = 2_147_483_647;

/** Key (any number) of the lock for changing parents, so that two changes can't close a cycle that neither sees. */
const PARENT_LOCK = 7_301;

/** Holds off everybody else who would give a post a parent, until the transaction ends. */
export const lockFamilies = (db: Db): Promise<number> => db.execute(sql`SELECT pg_advisory_xact_lock(${PARENT_LOCK})`);

/** What an edit or upload says about the relatives of its post. */
export interface Relatives {
  parentId?: number | null | undefined;
  notParentId?: number | undefined;
  children?: TagActions["children"] | undefined;
}

/**
 * Locks all posts that a change of parents affects, old and new parents too, in the order of their ids, so that no two edits
 * deadlock. To be called before any row is locked.
 * @param postId null for a post that is yet to be made
 */
export async function lockFamily(db: Db, postId: number | null, relatives: Relatives): Promise<void> {
  const { parentId, notParentId, children = [] } = relatives;
  if (parentId === undefined && notParentId === undefined && children.length === 0) return;
  const named = [postId, parentId, ...children.map((child) => child.id)].filter((id) => typeof id === "number");
  const ids = named.map((id) => Math.min(id, MAX_ID));
  const withChildren = children.some((child) => child.id === "all");
  await lockFamilies(db);
  await db.execute(sql`
    SELECT FROM posts
     WHERE id = ANY(${ids}::int[]) OR id IN (SELECT parent_id FROM posts WHERE id = ANY(${ids}::int[]))
        OR (${withChildren} AND parent_id = ${postId}::int)
     ORDER BY id FOR NO KEY UPDATE`);
}

/**
 * A parent must exist, be another post, and not descend from this one.
 * @throws BoardError 420
 */
export async function checkParent(db: Db, postId: number | null, parentId: number): Promise<void> {
  if (parentId === postId) throw invalid("parent", "own_parent");
  await lockFamilies(db);
  const ancestors = await db.query<{ id: number }>(sql`
    WITH RECURSIVE line(id) AS (
      SELECT id FROM posts WHERE id = ${Math.min(parentId, MAX_ID)}
      UNION SELECT p.parent_id FROM posts p JOIN line USING (id) WHERE p.parent_id IS NOT NULL
    ) SELECT id FROM line`);
  if (ancestors.length === 0) throw invalid("parent", "does_not_exist");
  if (ancestors.some((ancestor) => ancestor.id === postId)) throw invalid("parent", "cycle");
}

/** Makes `has_children` and `has_active_children` of these posts true to their children. */
export async function refreshParents(db: Db, ids: readonly (number | null)[]): Promise<void> {
  const parents = ids.filter((id) => id !== null);
  if (parents.length === 0) return;
  await db.execute(sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM posts WHERE id = ANY(${parents}::int[]) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE posts p SET
      has_children = EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id),
      has_active_children = EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id AND NOT c.is_deleted)
      FROM locked WHERE p.id = locked.id`);
}
