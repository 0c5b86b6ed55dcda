/** Validates and writes pools and their versions, within a transaction. */
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { lockKey } from "../../database/lock.js";
import { failure, invalid, validate } from "../../errors.js";
import type { Edit } from "../shared/history.js";
import { checkListName, checkMembers } from "../shared/post-list.js";
import { type PoolCategory, poolHistory, type PoolState } from "./pool.records.js";
import { checkText } from "../shared/texts.js";

const DESCRIPTION_MAX = 20_000;
/** Words with another meaning after `pool:` in a search. */
const RESERVED = new Set(["any", "none", "series", "collection"]);

/** The posts of a pool of this category: a collection has no duplicates. */
export const membersOf = (category: PoolCategory, postIds: readonly number[]): number[] =>
  category === "collection" ? [...new Set(postIds)] : [...postIds];

/**
 * Creates a pool and its first version.
 * @returns the pool's id
 * @throws BoardError 420 (name, description, posts), 423 when there is a pool of this name
 */
export async function createPool(db: Db, context: RequestContext, after: PoolState): Promise<number> {
  checkTexts(null, after);
  if (await isTaken(db, after.name, null)) throw failure("name_taken", { parameter: "name" });
  await checkMembers(db, [], after.postIds, sql`FOR NO KEY UPDATE`);
  return poolHistory.create(db, context, after, { creatorId: context.viewer.id });
}

/**
 * Writes a pool whose row the transaction has locked, with a version if anything changed.
 * @returns whether anything changed
 * @throws BoardError 420 (name, description, posts)
 */
export async function writePool(
  db: Db,
  context: RequestContext,
  change: Edit<PoolState> & { before: PoolState },
  config: Config,
): Promise<boolean> {
  const { id, before, after } = change;
  checkTexts(before, after);
  if (after.name !== before.name && (await isTaken(db, after.name, id))) throw invalid("name", "taken");
  await checkMembers(db, before.postIds, after.postIds, sql`FOR NO KEY UPDATE`);
  return poolHistory.write(db, context, config, change);
}

/** A name from before may break the rules. @throws BoardError 420 */
const checkTexts = (before: PoolState | null, { name, description }: PoolState): void =>
  validate((problems) => {
    if (name !== before?.name) checkListName(name, RESERVED, problems);
    checkText(problems, "description", description, { most: DESCRIPTION_MAX });
  });

/** Waits for concurrent creations of, and renames to, a pool of this name. To be called before any post is locked. */
export async function lockPoolName(db: Db, name: string): Promise<void> {
  await lockKey(db, "poolName", sql`hashtext(lower(${name}))`);
}

async function isTaken(db: Db, name: string, ownId: number | null): Promise<boolean> {
  await lockPoolName(db, name);
  const rows = await db.query<object>(sql`
    SELECT 1 FROM pools WHERE lower(name) = lower(${name}) AND id IS DISTINCT FROM ${ownId}::int`);
  return rows.length > 0;
}
