/** Pools with their posts in order. */
import { type Db, sql } from "../../database/client.js";
import { createPool, membersOf, writePool } from "../../resources/pools/pool.edit.js";
import { isNamed, poolHistory, pools, type PoolState } from "../../resources/pools/pool.records.js";
import { type Brought, simpleImporter, timesOf, type Work } from "./importer.js";
import { type PoolShape, SHAPES } from "./records.js";
import { normalizeListName } from "../../resources/shared/post-list.js";

/** Pools lack what is not here, until it has come. */
export const poolImporter = simpleImporter<PoolShape>("pools", SHAPES.pools, {
  async find(db, _work, { name }) {
    const condition = isNamed(name);
    return (condition && (await pools.find(db, condition)))?.id ?? null;
  },
  async create(db, work, pool) {
    const { state, problem } = await stateThere(db, work, pool);
    const id = await createPool(db, work.context, work.context.viewer, state, work.config);
    await setTimes(db, id, pool);
    return { localId: id, problem };
  },
  complete: (db, work, pool, { localId }) => complete(db, work, pool, localId),
});

/** The pool as it is there, with those of its posts that are here. */
async function stateThere(db: Db, work: Work, pool: PoolShape): Promise<{ state: PoolState; problem: string | null }> {
  const here = await work.ledger.postIds(db, pool.post_ids);
  const category = pool.category ?? "series";
  const missing = new Set(pool.post_ids.filter((id) => !here.has(id)));
  const state: PoolState = {
    name: normalizeListName(pool.name),
    description: pool.description,
    category,
    postIds: membersOf(
      category,
      pool.post_ids.flatMap((id) => here.get(id) ?? []),
    ),
    isActive: pool.is_active,
    isDeleted: pool.is_deleted,
  };
  const some = [...missing].slice(0, 10).join(", ");
  return { state, problem: missing.size === 0 ? null : `lacks ${missing.size} posts that are not here: ${some}` };
}

/** Adds posts imported since, unless the pool's posts were edited here: then it stays as it is. */
async function complete(db: Db, work: Work, pool: PoolShape, id: number): Promise<Brought> {
  const row = await db.pool.findUnique({ where: { id }, select: { updatedAt: true } });
  if (!row) return { outcome: "unchanged", localId: id };
  const before = await poolHistory.lock(db, id);
  const { state, problem } = await stateThere(db, work, pool);
  if (!isPartOf(before.postIds, state.postIds)) return { outcome: "unchanged", localId: id };
  const after = { ...before, postIds: state.postIds };
  const changed = await writePool(db, work.context, { id, before, after, isOwnVersion: true }, work.config);
  if (!changed) return { outcome: "unchanged", localId: id, problem };
  await db.execute(sql`UPDATE pools SET updated_at = ${row.updatedAt} WHERE id = ${id}`);
  return { outcome: "completed", localId: id, problem };
}

/** Whether the posts of one list are in the other, in the same order. */
function isPartOf(part: readonly number[], whole: readonly number[]): boolean {
  let found = 0;
  for (const id of whole) if (id === part[found]) found += 1;
  return found === part.length;
}

async function setTimes(db: Db, id: number, pool: PoolShape): Promise<void> {
  const { created, updated } = timesOf(pool);
  await db.execute(sql`UPDATE pools SET created_at = ${created}, updated_at = ${updated} WHERE id = ${id}`);
}
