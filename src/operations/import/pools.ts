/** Imports pools with their posts in order. */
import { type Db, sql } from "../../database/client.js";
import { createPool, membersOf, writePool } from "../../resources/pools/pool.edit.js";
import { isNamed, poolHistory, pools, type PoolState } from "../../resources/pools/pool.records.js";
import { type Imported, simpleImporter, timesOf, type Work } from "./importer.js";
import { type PoolShape, SHAPES } from "./records.js";
import { normalizeListName } from "../../resources/shared/post-list.js";

/** Posts that have not been imported are added to the pool by a later run. */
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

/** The pool at the source, with those of its posts that have been imported. */
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
  return { state, problem: missing.size === 0 ? null : `${missing.size} of its posts have not been imported: ${some}` };
}

/** Adds posts imported since, unless the pool's posts have been edited here. */
async function complete(db: Db, work: Work, pool: PoolShape, id: number): Promise<Imported> {
  const row = await db.pool.findUnique({ where: { id }, select: { updatedAt: true } });
  if (!row) return { outcome: "unchanged", localId: id };
  const before = await poolHistory.lock(db, id);
  const { state, problem } = await stateThere(db, work, pool);
  if (!isSubsequence(before.postIds, state.postIds)) return { outcome: "unchanged", localId: id };
  const after = { ...before, postIds: state.postIds };
  const changed = await writePool(db, work.context, { id, before, after, isOwnVersion: true }, work.config);
  if (!changed) return { outcome: "unchanged", localId: id, problem };
  await db.execute(sql`UPDATE pools SET updated_at = ${row.updatedAt} WHERE id = ${id}`);
  return { outcome: "completed", localId: id, problem };
}

function isSubsequence(part: readonly number[], whole: readonly number[]): boolean {
  let found = 0;
  for (const id of whole) if (id === part[found]) found += 1;
  return found === part.length;
}

async function setTimes(db: Db, id: number, pool: PoolShape): Promise<void> {
  const { created, updated } = timesOf(pool);
  await db.execute(sql`UPDATE pools SET created_at = ${created}, updated_at = ${updated} WHERE id = ${id}`);
}
