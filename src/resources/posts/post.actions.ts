/**
 * Runs the actions in the tag string of an edit or upload (`tagging/tag-actions.ts`), in the same
 * transaction, after the post is written and with its row locked. Pools are locked before any post, as in edits of pools.
 */
import type { SignedIn } from "../../runtime/auth/viewer.js";
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { aboutValue } from "../../lib/check-each.js";
import { mayUpdate as mayUpdatePost } from "./post.policy.js";
import { authorize, requireLevel } from "../shared/policy.js";
import type { Limiter } from "../../runtime/limits/limiter.js";
import type { PoolAction, TagActions } from "../../tagging/tag-actions.js";
import { addingFavorite, removingFavorite } from "../favorites/favorite.service.js";
import { createPool, lockPoolName, writePool } from "../pools/pool.edit.js";
import { findPoolId, poolHistory, type PoolState } from "../pools/pool.records.js";
import { replaceVote } from "../votes/vote.service.js";
import { writeParent } from "./post.edit.js";
import { lockPost } from "./post.records.js";
import { normalizeListName } from "../shared/post-list.js";

/** Description of pools created by a tag string. */
const MADE_BY_TAGS = "Made by an edit of a post's tags. Please describe it.";

/** The user, and the post that they edit. */
interface Work {
  db: Db;
  context: RequestContext;
  user: SignedIn;
  postId: number;
  config: Config;
  /** ids of the pools that may be changed: those locked beforehand, and new ones */
  pools: Set<number>;
}

/**
 * Counts the actions towards the hourly limits of those that do the same one by one. To be called before the transaction, since it
 * may be repeated.
 * @param postId null for a post that does not exist yet
 * @throws BoardError 421
 */
export async function countActions(
  { database, limiter }: { database: Db; limiter: Limiter },
  { viewer, address }: RequestContext,
  postId: number | null,
  actions: TagActions | undefined,
): Promise<void> {
  if (!actions) return;
  const { pools, children } = actions;
  const votes = [actions.vote, actions.favorite].filter((each) => each !== undefined);
  const fromAll = pools.find(({ kind }) => kind === "remove_from_all");
  const left = fromAll ? (await poolsFound(database, postId, fromAll)).length : 0;
  const hasAll = postId !== null && children.some(({ id }) => id === "all");
  const lost = hasAll ? (await childrenOf(database, postId)).length : 0;
  await limiter.act("recordEdit", viewer, address, Math.max(pools.length, left));
  await limiter.act("postEdit", viewer, address, Math.max(children.length, lost));
  await limiter.act("vote", viewer, address, votes.length);
}

/**
 * Locks the pools that actions name, in the order of their ids, and then the names of new ones. To be called before any post is
 * locked: a pool that gains or loses posts locks those.
 * @param postId null for a post that does not exist yet
 * @returns the ids of those that are not deleted: one that is restored meanwhile can't be locked after the post
 */
export async function lockPoolsOf(
  db: Db,
  postId: number | null,
  actions: TagActions | undefined,
): Promise<Set<number>> {
  const ids = new Set<number>();
  const created: string[] = [];
  for (const action of actions?.pools ?? []) {
    const found = await poolsFound(db, postId, action);
    for (const id of found) ids.add(id);
    if (action.kind === "create" && found.length === 0) created.push(normalizeListName(action.pool));
  }
  const locked = await lockPools(db, [...ids]);
  for (const name of created.sort()) {
    await lockPoolName(db, name);
    const id = await findPoolId(db, name); // it may have been created meanwhile
    if (id !== null) locked.push(...(await lockPools(db, [id])));
  }
  return new Set(locked.map(({ id }) => id));
}

/**
 * Ignores unknown and deleted pools and unknown children.
 * @param pools what `lockPoolsOf` returned
 * @throws BoardError 403 (a child that the viewer may not edit), 420 (name of a new pool; a child that would create a cycle)
 */
export async function applyTagActions(
  db: Db,
  context: RequestContext,
  postId: number,
  actions: TagActions | undefined,
  config: Config,
  pools: Set<number>,
): Promise<void> {
  if (!actions) return;
  const work: Work = { db, context, user: requireLevel(context.viewer), postId, config, pools };
  await changeChildren(work, actions.children);
  await changePools(work, actions.pools);
  if (actions.vote) await replaceVote(db, postId, work.user.id, actions.vote);
  if (actions.favorite === true) await db.query(addingFavorite(work.user.id, postId));
  if (actions.favorite === false) await db.query(removingFavorite(work.user.id, postId));
}

async function changeChildren(work: Work, children: TagActions["children"]): Promise<void> {
  const { db, context, postId, config } = work;
  for (const { id, isChild } of children) {
    for (const childId of id === "all" ? await childrenOf(db, postId) : [id]) {
      const child = await lockPost(db, childId);
      if (!child || (child.parentId === postId) === isChild) continue;
      authorize(context.viewer, mayUpdatePost(context.viewer, child));
      const newParent = isChild ? postId : null;
      await writeParent(db, context, child, newParent, config).catch(aboutValue("tag_string", `child:${childId}`));
    }
  }
}

async function childrenOf(db: Db, postId: number): Promise<number[]> {
  const rows = await db.post.findMany({ where: { parentId: postId }, orderBy: { id: "asc" }, select: { id: true } });
  return rows.map((row) => row.id);
}

async function changePools(work: Work, actions: readonly PoolAction[]): Promise<void> {
  const isMember = new Map<number, boolean>();
  for (const action of actions) {
    for (const id of await poolsToChange(work, action))
      isMember.set(id, action.kind === "add" || action.kind === "create");
  }
  for (const { id, ...before } of await lockPools(work.db, [...isMember.keys()])) {
    const postIds = withOrWithout(before.postIds, work.postId, isMember.get(id) === true);
    const change = { id, before, after: { ...before, postIds } };
    await writePool(work.db, work.context, change, work.config).catch(aboutValue("tag_string", `pool:${id}`));
  }
}

/** A post that is already in the pool keeps its position; removing one removes all its positions. */
function withOrWithout(postIds: number[], postId: number, isMember: boolean): number[] {
  if (!isMember) return postIds.filter((id) => id !== postId);
  return postIds.includes(postId) ? postIds : [...postIds, postId];
}

async function poolsToChange(work: Work, action: PoolAction): Promise<number[]> {
  const found = await poolsFound(work.db, work.postId, action);
  if (action.kind !== "create" || found.length > 0) return found.filter((id) => work.pools.has(id));
  const id = await createNamed(work, action.pool);
  work.pools.add(id);
  return [id];
}

async function poolsFound(db: Db, postId: number | null, action: PoolAction): Promise<number[]> {
  if (action.kind === "remove_from_all" && postId === null) return [];
  if (action.kind === "remove_from_all") {
    const rows = await db.query<{ id: number }>(sql`SELECT id FROM pools WHERE post_ids @> ARRAY[${postId}::int]`);
    return rows.map((row) => row.id);
  }
  const id = await findPoolId(db, action.pool);
  return id === null ? [] : [id];
}

function createNamed({ db, context, postId }: Work, name: string): Promise<number> {
  const state: PoolState = {
    name: normalizeListName(name),
    description: MADE_BY_TAGS,
    category: "series",
    postIds: [postId],
    isActive: true,
    isDeleted: false,
  };
  return createPool(db, context, state).catch(aboutValue("tag_string", `newpool:${state.name}`));
}

/** The pools that are not deleted, locked in the order of their ids. */
async function lockPools(db: Db, ids: readonly number[]): Promise<(PoolState & { id: number })[]> {
  return ids.length === 0 ? [] : poolHistory.lockAll(db, sql`id = ANY(${[...ids]}::int[]) AND NOT is_deleted`);
}
