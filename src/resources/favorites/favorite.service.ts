/** Favorites of users. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Sql, sql } from "../../database/client.js";
import { inserted } from "../../database/rows.js";
import { failure, requireFound } from "../../errors.js";
import { requireLevel } from "../shared/policy.js";
import { maySeePrivateFavorites } from "../shared/privacy.policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Page, type SearchOf } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import { lockPostRow } from "../posts/post.records.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";
import type { ServiceParts } from "../shared/service.js";

const columns = {
  id: column.integer,
  userId: column.integer,
  postId: column.integer,
  createdAt: column.time,
};
export type FavoriteRecord = column.RecordOf<typeof columns>;

const filters = {
  id: by.ids,
  ...by.user("user"),
  postId: by.unorderedIds,
  /** a post, which must exist */
  ofPost: (id: number) => by.unorderedIds([id], sql`t.post_id`),
};

const favorites = new ReadModel(columns, sql`favorites AS t LEFT JOIN users u ON u.id = t.user_id`);

/** Only their owner and Admins see private favorites. */
const visibleTo = (viewer: Viewer): Sql =>
  maySeePrivateFavorites(viewer) ? sql`TRUE` : sql`(NOT u.enable_private_favorites OR u.id = ${viewer.id}::int)`;

export class FavoriteService {
  constructor(private readonly parts: ServiceParts) {}

  /** @throws BoardError 404 for `ofPost` that is not there, 424 for too deep a page */
  async search(
    context: RequestContext,
    search: SearchOf<typeof filters>,
    request: PageRequest,
  ): Promise<Page<FavoriteRecord>> {
    const { ofPost } = search;
    const isPost = (id: number) => this.parts.database.post.count({ where: { id } });
    if (typeof ofPost === "number" && (await isPost(ofPost)) === 0) throw failure("not_found");
    const where = [...conditionsOf(filters, search), visibleTo(context.viewer)];
    return favorites.list(this.parts, { where }, request);
  }

  /** Whether each of these posts is a favorite of the viewer; without a promise for visitors, who have none. */
  areFavoritesOf({ id }: Viewer, postIds: readonly number[]): boolean[] | Promise<boolean[]> {
    return id === null ? postIds.map(() => false) : this.readFavorites(id, postIds);
  }

  private async readFavorites(userId: number, postIds: readonly number[]): Promise<boolean[]> {
    const kept = await this.parts.database.byKeys(postIds.length).query<{ postId: number }>(sql`
      SELECT post_id AS "postId" FROM favorites WHERE user_id = ${userId} AND post_id = ANY(${[...postIds]}::int[])`);
    const ids = new Set(kept.map(({ postId }) => postId));
    return postIds.map((id) => ids.has(id));
  }

  /** The newest favorites of each post that the viewer may see, newest first. @param limit maximum number for one post */
  newestOfPosts(viewer: Viewer, postIds: readonly number[], limit: number): Promise<FavoriteRecord[]> {
    return favorites.newestOfEach(this.parts.database, sql`t.post_id`, postIds, limit, visibleTo(viewer));
  }

  /**
   * Adds a post to the viewer's favorites.
   * @throws BoardError 403, 404 for an unknown post, 423 when it is one already
   */
  create(context: RequestContext, postId: number): Promise<FavoriteRecord> {
    const user = requireLevel(context.viewer);
    return this.parts.transact(async (db) => {
      if (!(await lockPostRow(db, postId))) throw failure("not_found");
      const [favorite] = await db.commitWith<FavoriteRecord>(addingFavorite(user.id, postId));
      if (!favorite) throw failure("already_exists");
      return favorite;
    });
  }

  /**
   * Removes a post from the viewer's favorites.
   * @returns the favorite as it was
   * @throws BoardError 403, 404 when it is none
   */
  delete(context: RequestContext, postId: number): Promise<FavoriteRecord> {
    const user = requireLevel(context.viewer);
    return this.parts.transact(async (db) => {
      await lockPostRow(db, postId);
      const [favorite] = await db.commitWith<FavoriteRecord>(removingFavorite(user.id, postId));
      return requireFound(favorite);
    });
  }
}

/** Adds a favorite, unless there is one, in a transaction that has locked the post's row. The post's `updated_at` and versions stay. */
export const addingFavorite = (userId: number, postId: number): Sql =>
  counted(sql`INSERT INTO favorites ${inserted({ userId, postId })} ON CONFLICT (user_id, post_id) DO NOTHING`, 1);

/** Removes a favorite, if there is one, in a transaction that has locked the post's row. */
export const removingFavorite = (userId: number, postId: number): Sql =>
  counted(sql`DELETE FROM favorites WHERE user_id = ${userId} AND post_id = ${postId}`, -1);

/**
 * A statement that adds or removes a favorite and returns it. It updates `posts.fav_count` and `users.favorite_count`, and locks
 * their rows in this order.
 */
const counted = (change: Sql, sign: 1 | -1): Sql => sql`
  WITH favorite AS (${change} RETURNING id, user_id, post_id, created_at), post AS (
    UPDATE posts SET fav_count = fav_count + ${sign}::int FROM favorite WHERE posts.id = favorite.post_id
    RETURNING favorite.user_id
  ), owner AS (
    UPDATE users SET favorite_count = favorite_count + ${sign}::int FROM post WHERE users.id = post.user_id
  )
  SELECT id, user_id AS "userId", post_id AS "postId", created_at AS "createdAt" FROM favorite`;
