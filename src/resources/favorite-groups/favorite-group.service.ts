/** Favorite groups: posts that a user keeps under a name, in an order; public or private. */
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { failure, invalid, validate, requireText } from "../../errors.js";
import type { SignedIn, Viewer } from "../../runtime/auth/viewer.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Page, type SearchOf } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import type { EditOf } from "../shared/columns.js";
import type { Change } from "../shared/history.js";
import { authorize, member, requireRight } from "../shared/policy.js";
import {
  checkListName,
  checkMembers,
  holdsAll,
  membersLeft,
  nameMatches,
  normalizeListName,
} from "../shared/post-list.js";
import { groupLimit, mayCreate, maySee, mayUpdate } from "./favorite-group.policy.js";
import {
  favoriteGroupHistory,
  type FavoriteGroupRecord,
  favoriteGroups,
  type FavoriteGroupState,
  visibleTo,
} from "./favorite-group.records.js";
import { lockQuotas } from "../shared/quota.js";
import { reading } from "../shared/read-model.js";

const filters = {
  id: by.ids,
  ...by.user("creator"),
  nameMatches,
  isPublic: (wanted: boolean) => (wanted ? sql`t.is_public` : sql`NOT t.is_public`), // must match the condition of the partial index
  /** groups that contain all of these posts */
  postIdsIncludeAll: holdsAll,
  /** groups that contain at least one of these posts, selected first: PostgreSQL can't estimate how rare a post is, and would scan all groups */
  postIdsIncludeAny: (postIds: readonly number[]) =>
    sql`t.id = ANY(ARRAY(SELECT g.id FROM favorite_groups g WHERE g.post_ids && ${[...postIds]}::int[]))`,
};
export type FavoriteGroupSearch = SearchOf<typeof filters>;

/** An edit; absent fields stay unchanged, null posts are none. */
export type FavoriteGroupEdit = EditOf<FavoriteGroupState>;

/** Words with another meaning after `favgroup:` in a search. */
const RESERVED = new Set(["any", "none"]);

export class FavoriteGroupService extends reading(favoriteGroups, visibleTo) {
  /** Those that the viewer may see, newest first. @throws BoardError 424 for too deep a page */
  search(viewer: Viewer, search: FavoriteGroupSearch, request: PageRequest): Promise<Page<FavoriteGroupRecord>> {
    // private groups are found by the index of creators
    const visible = search.isPublic === false ? sql`t.creator_id = ${viewer.id}::int` : visibleTo(viewer);
    const where = [...conditionsOf(filters, search), visible];
    return favoriteGroups.list(this.parts, { where }, request);
  }

  /** @throws BoardError 403, 420 (name, posts, as many groups as the level allows), 424 (no name) */
  create(context: RequestContext, input: FavoriteGroupEdit): Promise<FavoriteGroupRecord> {
    const creator = requireRight(context.viewer, mayCreate);
    const after = edited({ name: "", postIds: [], isPublic: false }, input);
    requireText("favorite_group[name]", after.name);
    return this.parts.transact(async (db) => {
      await lockQuotas(db, creator.id); // serializes the count and the check for duplicate names
      const limit = groupLimit(creator);
      const count = await db.favoriteGroup.count({ where: { creatorId: creator.id } });
      if (count >= limit) throw invalid("favorite_groups", "too_many", { limit });
      await check(db, creator, null, after);
      return favoriteGroups.get(db, await favoriteGroupHistory.create(db, context, after, { creatorId: creator.id }));
    });
  }

  /** @throws BoardError 403 (another user's), 404, 420 (name, posts) */
  update(context: RequestContext, id: number, edit: FavoriteGroupEdit): Promise<FavoriteGroupRecord> {
    return this.change(context, id, { allows: member, next: (before) => edited(before, edit) });
  }

  /** Puts a post at the end, unless it is in the group already. @throws BoardError 403, 404 (group or post) */
  addPost(context: RequestContext, id: number, postId: number): Promise<FavoriteGroupRecord> {
    const next = async ({ postIds }: FavoriteGroupState, db: Db) => {
      await requirePost(db, postId);
      return { postIds: [...new Set([...postIds, postId])] };
    };
    return this.change(context, id, { allows: member, next });
  }

  /** Removes a post, if it is in the group. @throws BoardError 403, 404 (group or post) */
  removePost(context: RequestContext, id: number, postId: number): Promise<FavoriteGroupRecord> {
    const next = async ({ postIds }: FavoriteGroupState, db: Db) => {
      await requirePost(db, postId);
      return { postIds: postIds.filter((each) => each !== postId) };
    };
    return this.change(context, id, { allows: member, next });
  }

  /**
   * Reverts name and posts to a version, but not the privacy. Posts that no longer exist are left out.
   * @throws BoardError 403, 404 (also for a version of another group), 420 (a name that another group has by now)
   */
  revert(context: RequestContext, id: number, versionId: number): Promise<FavoriteGroupRecord> {
    const next = async (_: FavoriteGroupState, db: Db) => {
      const { name, postIds } = await favoriteGroupHistory.state(db, id, versionId);
      return { name, postIds: await membersLeft(db, postIds) };
    };
    return this.change(context, id, { allows: member, next, isOwnVersion: true });
  }

  /** Removes a group with its history, for good. @returns the group as it was @throws BoardError 403, 404 */
  delete(context: RequestContext, id: number): Promise<FavoriteGroupRecord> {
    const viewer = requireRight(context.viewer, member);
    return this.parts.transact(async (db) => {
      const group = await findOwn(db, viewer, id);
      await favoriteGroupHistory.lock(db, id);
      await db.favoriteGroup.delete({ where: { id } });
      return group;
    });
  }

  private change(
    context: RequestContext,
    id: number,
    { allows, next, isOwnVersion }: Change<FavoriteGroupState>,
  ): Promise<FavoriteGroupRecord> {
    const viewer = requireRight(context.viewer, allows);
    return this.parts.transact(async (db) => {
      await lockQuotas(db, viewer.id);
      await findOwn(db, viewer, id);
      const before = await favoriteGroupHistory.lock(db, id);
      const after = { ...before, ...(await next(before, db, id)) };
      await check(db, viewer, { id, ...before }, after);
      await favoriteGroupHistory.write(db, context, this.parts.config, { id, before, after, isOwnVersion });
      return favoriteGroups.get(db, id);
    });
  }
}

/** @throws BoardError 404 */
async function requirePost(db: Db, id: number): Promise<void> {
  if ((await db.post.count({ where: { id } })) === 0) throw failure("not_found");
}

const edited = (before: FavoriteGroupState, { name, postIds, isPublic }: FavoriteGroupEdit): FavoriteGroupState => ({
  name: typeof name === "string" ? normalizeListName(name) : before.name,
  postIds: postIds === undefined ? before.postIds : [...new Set(postIds ?? [])],
  isPublic: isPublic ?? before.isPublic,
});

/** The viewer's group. @throws BoardError 403 for another user's, 404 for an unknown or private one */
async function findOwn(db: Db, viewer: SignedIn, id: number): Promise<FavoriteGroupRecord> {
  const group = await favoriteGroups.byId(db, id);
  if (!group || !maySee(viewer, group)) throw failure("not_found");
  authorize(viewer, mayUpdate(viewer, group));
  return group;
}

/** @throws BoardError 420 */
async function check(
  db: Db,
  creator: SignedIn,
  before: (FavoriteGroupState & { id: number }) | null,
  { name, postIds }: FavoriteGroupState,
): Promise<void> {
  if (name !== before?.name) validate((problems) => checkListName(name, RESERVED, problems));
  await checkMembers(db, before?.postIds ?? [], postIds);
  const same = sql`t.creator_id = ${creator.id} AND lower(t.name) = lower(${name}) AND t.id IS DISTINCT FROM ${before?.id ?? null}::int`;
  if (await favoriteGroups.find(db, same)) throw invalid("name", "taken");
}
