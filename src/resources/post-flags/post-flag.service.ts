/** Flags: members' requests to delete a post. Who flagged is known to the flagger and to Moderators only. */
import { isSignedIn } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { inserted } from "../../database/rows.js";
import { notifying } from "../../runtime/events/events.js";
import { failure, Problems, requireText } from "../../errors.js";
import { authorize, requireLevel } from "../shared/policy.js";
import { mayFlagWithoutLimit, maySeeFlaggers } from "./post-flag.policy.js";
import { mayFlag } from "../posts/post.policy.js";
import { Filters, NOTHING, type Page } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import { checkDailyLimit, checkReason, reasonMatches } from "../posts/post-report.js";
import { lockPostRow } from "../posts/post.records.js";
import { ReadModel } from "../shared/read-model.js";
import type { ServiceParts } from "../shared/service.js";

/** Reasons that the board itself writes; clients look for them. */
export const UNAPPROVED = "Unapproved in three days";
export const REJECTED = "Unapproved in three days after returning to moderation queue";
const BANNED = "Artist requested removal";

export type FlagCategory = "normal" | "unapproved" | "rejected" | "banned";
export type FlagStatus = "pending" | "succeeded" | "rejected";

export interface PostFlagRecord {
  id: number;
  postId: number;
  /** null: the board itself. A secret below Moderator, as is the name. */
  creatorId: number | null;
  creatorName: string | null;
  reason: string;
  isResolved: boolean;
  isDeletion: boolean;
  category: FlagCategory;
  status: FlagStatus;
  createdAt: Date;
  updatedAt: Date;
}

export interface PostFlagSearch {
  id?: number[] | null;
  postId?: number[] | null;
  /** below Moderator only one's own are found */
  creatorId?: number[] | null;
  creatorName?: string | null;
  reasonMatches?: string | null;
  isResolved?: boolean | null;
  category?: FlagCategory | null;
}

export interface NewPostFlag {
  postId: number;
  reason: string;
}

const CATEGORY = sql`CASE t.reason WHEN ${UNAPPROVED} THEN 'unapproved' WHEN ${REJECTED} THEN 'rejected'
  WHEN ${BANNED} THEN 'banned' ELSE 'normal' END`;

const REASONS: Partial<Record<FlagCategory, Sql>> = {
  unapproved: sql`${UNAPPROVED}`,
  rejected: sql`${REJECTED}`,
  banned: sql`${BANNED}`,
};

/** The categories that few flags are in are found by their reason, of which there is an index in lower case. */
function hasCategory(category: FlagCategory | null | undefined): Sql | null {
  const reason = category && REASONS[category];
  if (reason) return sql`(lower(t.reason) = lower(${reason}) AND t.reason = ${reason})`;
  return category ? sql`${CATEGORY} = ${category}` : null;
}

const flags = new ReadModel<PostFlagRecord>(
  sql`t.id, t.post_id AS "postId", t.creator_id AS "creatorId", u.name AS "creatorName", t.reason,
  t.is_resolved AS "isResolved", t.is_deletion AS "isDeletion", ${CATEGORY} AS category,
  CASE WHEN t.is_resolved THEN 'rejected' WHEN p.is_deleted THEN 'succeeded' ELSE 'pending' END AS status,
  t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
  sql`post_flags AS t JOIN posts p ON p.id = t.post_id LEFT JOIN users u ON u.id = t.creator_id`,
);

export class PostFlagService {
  constructor(private readonly parts: ServiceParts) {}

  /**
   * Below Moderator a search by flagger finds the viewer's own flags at most, whoever it names.
   * @throws BoardError 424 for too deep a page
   */
  search(context: RequestContext, search: PostFlagSearch, request: PageRequest): Promise<Page<PostFlagRecord>> {
    const { database, config } = this.parts;
    const filters = new Filters()
      .ids(sql`t.id`, search.id)
      .ids(sql`t.post_id`, search.postId)
      .ids(sql`t.creator_id`, search.creatorId)
      .userName(sql`t.creator_id`, search.creatorName)
      .add(secrecy(context, search))
      .add(reasonMatches(sql`t.reason`, search.reasonMatches))
      .flag(sql`t.is_resolved`, search.isResolved)
      .add(hasCategory(search.category));
    return flags.list(database, { where: filters.conditions }, request, config);
  }

  byIds(ids: readonly number[]): Promise<Map<number, PostFlagRecord>> {
    return flags.byIds(this.parts.database, ids);
  }

  /** The newest flags of each post, newest first. @param limit most flags of one post */
  newestOfPosts(postIds: readonly number[], limit: number): Promise<PostFlagRecord[]> {
    return flags.newestOfEach(this.parts.database, sql`t.post_id`, postIds, limit);
  }

  /**
   * Flags a post.
   * @throws BoardError 403, 404 (no such post), 420 (reason, deleted post), 421 (too many in a day), 422 (status-locked
   * post), 423 (flagged by the viewer before), 424 (blank reason)
   */
  async create(context: RequestContext, { postId, reason }: NewPostFlag): Promise<PostFlagRecord> {
    const creator = requireLevel(context.viewer);
    const { id: creatorId } = creator;
    requireText("post_flag[reason]", reason);
    const { transact, database } = this.parts;
    const flagId = await transact(async (db) => {
      const post = await lockPostRow(db, postId);
      if (!post) throw failure("not_found");
      authorize(creator, mayFlag(creator, post));
      if (post.isStatusLocked) throw failure("status_locked");
      const problems = new Problems();
      const data = { postId, creatorId, creatorIp: context.address, reason: checkReason(reason, problems) };
      if (post.isDeleted) problems.add("post", "is_deleted");
      problems.throwIfAny();
      const earlier = await db.query(sql`
        SELECT 1 FROM post_flags WHERE post_id = ${postId} AND creator_id = ${creatorId} AND NOT is_deletion LIMIT 1`);
      if (earlier.length > 0) throw failure("already_flagged");
      await this.checkLimit(db, context, creatorId);
      const [flag] = await db.commitWith<{ id: number }>(sql`
        WITH flag AS (INSERT INTO post_flags ${inserted(data)} RETURNING id), post AS (
          UPDATE posts SET is_flagged = TRUE WHERE id = ${postId})
        SELECT id, ${notifying(db, { type: "post_changed", id: postId, about: postId })} AS told FROM flag`);
      return (flag as { id: number }).id;
    });
    return (await flags.byId(database, flagId)) as PostFlagRecord;
  }

  private async checkLimit(db: Db, { viewer }: RequestContext, userId: number): Promise<void> {
    if (mayFlagWithoutLimit(viewer, undefined)) return;
    const sent = sql`SELECT created_at FROM post_flags WHERE creator_id = ${userId} AND NOT is_deletion`;
    await checkDailyLimit(db, userId, sent, this.parts.config.FLAGS_PER_DAY, "flag_limit");
  }
}

/** The condition that keeps a search by flagger from telling who flagged; null where there is nothing to keep. */
function secrecy({ viewer }: RequestContext, { creatorId, creatorName }: PostFlagSearch): Sql | null {
  if ((!creatorId && !creatorName) || maySeeFlaggers(viewer, undefined)) return null;
  return isSignedIn(viewer) ? sql`t.creator_id = ${viewer.id}` : NOTHING;
}
