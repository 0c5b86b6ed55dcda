/** Pools: posts that belong together, as a series in reading order or as a collection. */
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { requireText } from "../../errors.js";
import { mayChangeCategory, mayDelete, mayEdit, mayListDeleted } from "./pool.policy.js";
import { authorize, requireRight } from "../shared/policy.js";
import { without } from "../../lib/lists.js";
import { countRows } from "../../runtime/limits/bulk.js";
import * as by from "../../search/filters.js";
import { conditionsOf, NOTHING, type Page, type SearchOf } from "../../search/listing.js";
import { recordModAction } from "../mod-actions/mod-action.js";
import type { PageRequest } from "../shared/paging.js";
import { createPool, membersOf, writePool } from "./pool.edit.js";
import {
  isNamed,
  type PoolCategory,
  poolHistory,
  poolIdsOfPosts,
  type PoolRecord,
  pools,
  type PoolState,
} from "./pool.records.js";
import { type EditOf, given } from "../shared/columns.js";
import type { Change } from "../shared/history.js";
import { holdsAll, membersLeft, nameMatches, normalizeListName } from "../shared/post-list.js";
import type { ServiceParts } from "../shared/service.js";

const ORDERS = {
  name: sql`lower(t.name) ASC, t.id ASC`,
  created_at: sql`t.created_at DESC`,
  post_count: sql`t.post_count DESC`,
  date: sql`t.updated_at DESC`,
};

const filters = {
  id: by.ids,
  ...by.user("creator"),
  descriptionMatches: by.on(sql`t.description`, by.contains),
  isActive: by.flag,
  /** exactly this name, in any case */
  name: (name: string) => (name === "" ? null : (isNamed(name) ?? NOTHING)),
  nameMatches,
  isDeleted: (wanted: boolean) => (wanted ? sql`t.is_deleted` : sql`NOT t.is_deleted`),
  category: (categories: readonly PoolCategory[]) => sql`t.category = ANY(${[...categories]}::text[])`,
  postIdsIncludeAll: holdsAll,
};

/** Without `isDeleted`, deleted pools are listed for Janitors only. */
export type PoolSearch = SearchOf<typeof filters> & { order?: keyof typeof ORDERS | null };

/** An edit; absent fields stay unchanged, null posts are none. */
export type PoolEdit = EditOf<Omit<PoolState, "isDeleted">>;

export class PoolService {
  constructor(private readonly parts: ServiceParts) {}

  /** @throws BoardError 424 for too deep a page */
  search(context: RequestContext, search: PoolSearch, request: PageRequest): Promise<Page<PoolRecord>> {
    const isDeleted = search.isDeleted ?? (mayListDeleted(context.viewer) ? null : false);
    const where = conditionsOf(filters, { ...search, isDeleted });
    const orderBy = search.order ? ORDERS[search.order] : undefined;
    return pools.list(this.parts, { where, orderBy }, request);
  }

  byIds(ids: readonly number[]): Promise<Map<number, PoolRecord>> {
    return pools.byIds(this.parts.database.prepared, ids);
  }

  /** The pool of this name, in any case, with spaces or underscores, also if it is deleted. */
  async byName(name: string): Promise<PoolRecord | null> {
    const condition = isNamed(name);
    return condition && pools.find(this.parts.database, condition);
  }

  /** The ids of each post's pools, without deleted ones; posts without pools are absent. */
  idsOfPosts(postIds: readonly number[], limit: number): Promise<Map<number, number[]>> {
    return poolIdsOfPosts(this.parts.database.byKeys(postIds.length * limit), postIds, limit);
  }

  /** @throws BoardError 403, 420 (name, description, posts), 423 (name), 424 (blank name or description) */
  create(context: RequestContext, input: PoolEdit & { name: string; description: string }): Promise<PoolRecord> {
    requireRight(context.viewer, mayEdit);
    requireText("pool[name]", input.name);
    requireText("pool[description]", input.description);
    const category = input.category ?? "series";
    const state: PoolState = {
      name: normalizeListName(input.name),
      description: input.description,
      category,
      postIds: membersOf(category, input.postIds ?? []),
      isActive: input.isActive ?? true,
      isDeleted: false,
    };
    return this.parts.transact(async (db) => {
      await this.count(db, context, [], state.postIds);
      return pools.get(db, await createPool(db, context, state));
    });
  }

  /** @throws BoardError 403 (also the category of a large pool), 404, 420 (name, description, posts) */
  update(context: RequestContext, id: number, edit: PoolEdit): Promise<PoolRecord> {
    const { viewer } = context;
    const next = (before: PoolState) => {
      const isMoved = typeof edit.category === "string" && edit.category !== before.category;
      if (isMoved) authorize(viewer, mayChangeCategory(viewer, { postCount: before.postIds.length }));
      const name = edit.name && normalizeListName(edit.name);
      return given({ ...edit, name, postIds: edit.postIds === null ? [] : edit.postIds });
    };
    return this.change(context, id, { allows: mayEdit, next });
  }

  /** Deletes a pool; its posts and its history stay. @throws BoardError 403, 404 */
  delete(context: RequestContext, id: number): Promise<PoolRecord> {
    return this.change(context, id, { allows: mayDelete, next: () => ({ isDeleted: true }) });
  }

  /** @throws BoardError 403, 404 */
  undelete(context: RequestContext, id: number): Promise<PoolRecord> {
    return this.change(context, id, { allows: mayDelete, next: () => ({ isDeleted: false }) });
  }

  /**
   * Reverts posts, name and description to a version. Posts that no longer exist are left out.
   * @throws BoardError 403, 404 (also for a version of another pool), 420 (a name that another pool has by now)
   */
  revert(context: RequestContext, id: number, versionId: number): Promise<PoolRecord> {
    const next = async (_: PoolState, db: Db) => {
      const { name, description, postIds } = await poolHistory.state(db, id, versionId);
      return { name, description, postIds: await membersLeft(db, postIds) };
    };
    return this.change(context, id, { allows: mayEdit, next, isOwnVersion: true });
  }

  /** @throws BoardError 421 if too many posts came and went within the hour */
  private count(db: Db, context: RequestContext, before: readonly number[], after: readonly number[]): Promise<void> {
    const changed = without(after, before).length + without(before, after).length;
    return countRows(db, this.parts.config, context, "pooledPost", changed);
  }

  private change(context: RequestContext, id: number, change: Change<PoolState>): Promise<PoolRecord> {
    requireRight(context.viewer, change.allows);
    return this.parts.transact(async (db) => {
      const before = await poolHistory.lock(db, id);
      const wanted = { ...before, ...(await change.next(before, db, id)) };
      const after = { ...wanted, postIds: membersOf(wanted.category, wanted.postIds) };
      await this.count(db, context, before.postIds, after.postIds);
      const edit = { id, before, after, isOwnVersion: change.isOwnVersion };
      const isChanged = await writePool(db, context, edit, this.parts.config);
      if (isChanged && after.isDeleted !== before.isDeleted) await logDeletion(db, context, id, after.isDeleted);
      return pools.get(db, id);
    });
  }
}

function logDeletion(db: Db, { viewer }: RequestContext, id: number, isDeleted: boolean): Promise<void> {
  const [category, done] = isDeleted ? ["pool_delete", "deleted"] : ["pool_undelete", "undeleted"];
  return recordModAction(db, viewer, category, `${done} pool #${id}`, { type: "Pool", id });
}
