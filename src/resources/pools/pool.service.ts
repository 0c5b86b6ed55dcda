/** Pools: posts that belong together, as a series in reading order or as a collection. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { requireText } from "../../errors.js";
import { isStorable } from "../../lib/text.js";
import { mayChangeCategory, mayCreate, mayDelete, mayListDeleted, mayRevert, mayUpdate } from "./pool.policy.js";
import { authorize, requireLevel } from "../shared/policy.js";
import { Filters, NOTHING, type Page } from "../../search/listing.js";
import { likePattern } from "../../search/pattern.js";
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
import { membersLeft, normalizeListName } from "../shared/post-list.js";
import type { ServiceParts } from "../shared/service.js";

export type PoolOrder = "name" | "created_at" | "post_count" | "date";

export interface PoolSearch {
  id?: number[] | null;
  /** part of the name; a pattern of the whole name where it has a `*` */
  nameMatches?: string | null;
  /** exactly this name, in any case */
  name?: string | null;
  descriptionMatches?: string | null;
  creatorName?: string | null;
  creatorId?: number[] | null;
  isActive?: boolean | null;
  /** absent: deleted pools are listed for Janitors only */
  isDeleted?: boolean | null;
  category?: PoolCategory[] | null;
  /** pools that hold all of these posts */
  postIdsIncludeAll?: number[] | null;
  order?: PoolOrder | null;
}

/** What an edit may change; absent fields stay as they are, null posts are none. */
export interface PoolEdit {
  name?: string | null;
  description?: string | null;
  category?: PoolCategory | null;
  postIds?: number[] | null;
  isActive?: boolean | null;
}

export interface NewPool extends PoolEdit {
  name: string;
  description: string;
}

const ORDERS: Record<PoolOrder, Sql> = {
  name: sql`lower(t.name) ASC, t.id ASC`,
  created_at: sql`t.created_at DESC, t.id DESC`,
  post_count: sql`t.post_count DESC, t.id DESC`,
  date: sql`t.updated_at DESC, t.id DESC`,
};

export class PoolService {
  constructor(private readonly parts: ServiceParts) {}

  /** @throws BoardError 424 for too deep a page */
  search(context: RequestContext, search: PoolSearch, request: PageRequest): Promise<Page<PoolRecord>> {
    const filters = new Filters()
      .ids(sql`t.id`, search.id)
      .ids(sql`t.creator_id`, search.creatorId)
      .userName(sql`t.creator_id`, search.creatorName)
      .contains([sql`t.description`], search.descriptionMatches)
      .flag(sql`t.is_active`, search.isActive)
      .add(search.name ? (isNamed(search.name) ?? NOTHING) : null)
      .add(nameMatches(search.nameMatches))
      .add(deletedOrNot(context.viewer, search.isDeleted));
    if (search.category) filters.add(sql`t.category = ANY(${search.category}::text[])`);
    if (search.postIdsIncludeAll) filters.add(holdsAll(search.postIdsIncludeAll));
    const orderBy = search.order ? ORDERS[search.order] : undefined;
    return pools.list(this.parts.database, { where: filters.conditions, orderBy }, request, this.parts.config);
  }

  byIds(ids: readonly number[]): Promise<Map<number, PoolRecord>> {
    return pools.byIds(this.parts.database, ids);
  }

  /** The pool of this name, in any case and with blanks for underscores or not; deleted ones too. */
  async byName(name: string): Promise<PoolRecord | null> {
    const condition = isNamed(name);
    return condition && pools.find(this.parts.database, condition);
  }

  /** The ids of the pools that each post is in, deleted pools apart; posts without pools are absent. */
  idsOfPosts(postIds: readonly number[], limit: number): Promise<Map<number, number[]>> {
    return poolIdsOfPosts(this.parts.database, postIds, limit);
  }

  /** @throws BoardError 403, 420 (name, description, posts), 423 (name), 424 (blank name or description) */
  create(context: RequestContext, input: NewPool): Promise<PoolRecord> {
    const creator = requireLevel(context.viewer);
    authorize(creator, mayCreate(creator, undefined));
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
      const id = await createPool(db, context, creator, state, this.parts.config);
      return (await pools.byId(db, id)) as PoolRecord;
    });
  }

  /** @throws BoardError 403 (also the category of a large pool), 404, 420 (name, description, posts) */
  update(context: RequestContext, id: number, edit: PoolEdit): Promise<PoolRecord> {
    const { viewer } = context;
    authorize(viewer, mayUpdate(viewer, undefined));
    return this.change(context, id, (_db, before) => {
      const category = edit.category ?? before.category;
      const pool = { postCount: before.postIds.length };
      if (category !== before.category) authorize(viewer, mayChangeCategory(viewer, pool));
      return Promise.resolve({
        name: typeof edit.name === "string" ? normalizeListName(edit.name) : before.name,
        description: edit.description ?? before.description,
        category,
        postIds: edit.postIds === undefined ? before.postIds : (edit.postIds ?? []),
        isActive: edit.isActive ?? before.isActive,
      });
    });
  }

  /** Takes a pool out of sight; its posts and its history stay. @throws BoardError 403, 404 */
  delete(context: RequestContext, id: number): Promise<PoolRecord> {
    return this.setDeleted(context, id, true);
  }

  /** @throws BoardError 403, 404 */
  undelete(context: RequestContext, id: number): Promise<PoolRecord> {
    return this.setDeleted(context, id, false);
  }

  /**
   * Puts posts, name and description back to what a version recorded. Posts that are gone since are left out.
   * @throws BoardError 403, 404 (also for a version of another pool), 420 (a name that another pool has by now)
   */
  revert(context: RequestContext, id: number, versionId: number): Promise<PoolRecord> {
    authorize(context.viewer, mayRevert(context.viewer, undefined));
    const restore = async (db: Db) => {
      const { name, description, postIds } = await poolHistory.state(db, id, versionId);
      return { name, description, postIds: await membersLeft(db, postIds) };
    };
    return this.change(context, id, restore, { isOwnVersion: true });
  }

  private setDeleted(context: RequestContext, id: number, isDeleted: boolean): Promise<PoolRecord> {
    authorize(context.viewer, mayDelete(context.viewer, undefined));
    const log = (db: Db) => {
      const [category, done] = isDeleted ? ["pool_delete", "deleted"] : ["pool_undelete", "undeleted"];
      return recordModAction(db, context.viewer, category, `${done} pool #${id}`, { type: "Pool", id });
    };
    return this.change(context, id, () => Promise.resolve({ isDeleted }), { isOwnVersion: true, log });
  }

  private change(
    context: RequestContext,
    id: number,
    next: (db: Db, before: PoolState) => Promise<Partial<PoolState>>,
    { isOwnVersion = false, log }: { isOwnVersion?: boolean; log?: (db: Db) => Promise<void> } = {},
  ): Promise<PoolRecord> {
    return this.parts.transact(async (db) => {
      const before = await poolHistory.lock(db, id);
      const wanted = { ...before, ...(await next(db, before)) };
      const after = { ...wanted, postIds: membersOf(wanted.category, wanted.postIds) };
      const changed = await writePool(db, context, { id, before, after, isOwnVersion }, this.parts.config);
      if (changed) await log?.(db);
      return (await pools.byId(db, id)) as PoolRecord;
    });
  }
}

/** Part of the name, blanks for underscores; with `*` a pattern of the whole name. */
function nameMatches(text: string | null | undefined): Sql | null {
  if (!text?.trim()) return null;
  const name = normalizeListName(text);
  if (!isStorable(name)) return NOTHING;
  const pattern = name.includes("*") ? likePattern(name) : `%${likePattern(name)}%`;
  return sql`lower(t.name) LIKE lower(${pattern})`;
}

function deletedOrNot(viewer: Viewer, wanted: boolean | null | undefined): Sql | null {
  if (typeof wanted === "boolean") return wanted ? sql`t.is_deleted` : sql`NOT t.is_deleted`;
  return mayListDeleted(viewer) ? null : sql`NOT t.is_deleted`;
}

const holdsAll = (postIds: readonly number[]): Sql =>
  postIds.length === 0 ? NOTHING : sql`t.post_ids @> ${[...postIds]}::int[]`;
