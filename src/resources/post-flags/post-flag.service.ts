/** Flags: members' requests to delete a post. Only the flagger and Moderators see who flagged. */
import { isSignedIn } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Sql, sql } from "../../database/client.js";
import { inserted } from "../../database/rows.js";
import { notifying } from "../../runtime/events/events.js";
import { failure, ValidationErrors, requireText, requireFound } from "../../errors.js";
import { requireRight } from "../shared/policy.js";
import { mayFlag, mayFlagWithoutLimit, maySeeFlaggers } from "./post-flag.policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, NOTHING, type Page, type SearchOf } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import { checkQuota, lockQuotas } from "../shared/quota.js";
import { checkReason, type NewReport } from "../posts/post-report.js";
import { lockPostRow } from "../posts/post.records.js";
import * as column from "../shared/columns.js";
import { reading, ReadModel } from "../shared/read-model.js";

/** Reasons of the board's own flags, which clients recognize. */
export const UNAPPROVED = "Unapproved in three days";
export const REJECTED = "Unapproved in three days after returning to moderation queue";
const BANNED = "Artist requested removal";

export type FlagCategory = "normal" | "unapproved" | "rejected" | "banned";
export type FlagStatus = "pending" | "succeeded" | "rejected";

const CATEGORY = sql`CASE t.reason WHEN ${UNAPPROVED} THEN 'unapproved' WHEN ${REJECTED} THEN 'rejected'
  WHEN ${BANNED} THEN 'banned' ELSE 'normal' END`;

const STATUS = sql`CASE WHEN t.is_resolved THEN 'rejected' WHEN p.is_deleted THEN 'succeeded' ELSE 'pending' END`;

const columns = {
  ...column.ofRecord,
  postId: column.integer,
  /** null for the board itself. Hidden below Moderator, like the name. */
  creatorId: column.nullable(column.integer),
  creatorName: column.nullable(column.userName()),
  reason: column.text,
  isResolved: column.boolean,
  isDeletion: column.boolean,
  category: column.typed<FlagCategory>(sql`text`, CATEGORY),
  status: column.typed<FlagStatus>(sql`text`, STATUS),
};
export type PostFlagRecord = column.RecordOf<typeof columns>;

const filters = {
  id: by.ids,
  postId: by.ids,
  /** below Moderator, finds only the viewer's own */
  ...by.user("creator"),
  reasonMatches: by.on(sql`t.reason`, by.anywhere),
  isResolved: by.flag,
  category: hasCategory,
};
export type PostFlagSearch = SearchOf<typeof filters>;

const REASONS: Partial<Record<FlagCategory, Sql>> = {
  unapproved: sql`${UNAPPROVED}`,
  rejected: sql`${REJECTED}`,
  banned: sql`${BANNED}`,
};

/** Rare categories are found by their reason, which has an index in lower case. */
function hasCategory(category: FlagCategory): Sql {
  const reason = REASONS[category];
  return reason ? sql`(lower(t.reason) = lower(${reason}) AND t.reason = ${reason})` : sql`${CATEGORY} = ${category}`;
}

const flags = new ReadModel(
  columns,
  sql`post_flags AS t LEFT JOIN posts p ON p.id = t.post_id LEFT JOIN users u ON u.id = t.creator_id`,
);

export class PostFlagService extends reading(flags) {
  /**
   * Below Moderator, a search by flagger finds only the viewer's own flags.
   * @throws BoardError 424 for too deep a page
   */
  search(context: RequestContext, search: PostFlagSearch, request: PageRequest): Promise<Page<PostFlagRecord>> {
    const where = [...conditionsOf(filters, search), ...secrecy(context, search)];
    return flags.list(this.parts, { where }, request);
  }

  /** The newest flags of each post, newest first. @param limit maximum number for one post */
  newestOfPosts(postIds: readonly number[], limit: number): Promise<PostFlagRecord[]> {
    return flags.newestOfEach(this.parts.database, sql`t.post_id`, postIds, limit);
  }

  /**
   * Flags a post.
   * @throws BoardError 403, 404 (no such post), 420 (reason, deleted post), 421 (too many in a day), 422 (status-locked
   * post), 423 (flagged by the viewer before), 424 (blank reason)
   */
  async create(context: RequestContext, { postId, reason }: NewReport): Promise<PostFlagRecord> {
    const { id: creatorId } = requireRight(context.viewer, mayFlag);
    requireText("post_flag[reason]", reason);
    const { transact, database } = this.parts;
    const flagId = await transact(async (db) => {
      await lockQuotas(db, creatorId);
      const post = requireFound(await lockPostRow(db, postId));
      if (post.isStatusLocked) throw failure("status_locked");
      const problems = new ValidationErrors();
      const data = { postId, creatorId, creatorIp: context.address, reason: checkReason(reason, problems) };
      if (post.isDeleted) problems.add("post", "is_deleted");
      problems.throwIfAny();
      const earlier = await db.query(sql`
        SELECT 1 FROM post_flags WHERE post_id = ${postId} AND creator_id = ${creatorId} AND NOT is_deletion LIMIT 1`);
      if (earlier.length > 0) throw failure("already_flagged");
      const sent = sql`SELECT created_at FROM post_flags WHERE creator_id = ${creatorId} AND NOT is_deletion`;
      const limit = this.parts.config.FLAGS_PER_DAY;
      if (!mayFlagWithoutLimit(context.viewer))
        await checkQuota(db, sent, { limit, within: "day", otherwise: "flag_limit" });
      const [flag] = await db.commitWith<{ id: number }>(sql`
        WITH flag AS (INSERT INTO post_flags ${inserted(data)} RETURNING id), post AS (
          UPDATE posts SET is_flagged = TRUE WHERE id = ${postId})
        SELECT id, ${notifying(db, { type: "post_changed", id: postId, about: postId })} AS notified FROM flag`);
      return (flag as { id: number }).id;
    });
    return flags.get(database, flagId);
  }
}

/** The conditions that keep a search by flagger from revealing others' flags; none if the viewer may see flaggers. */
function secrecy({ viewer }: RequestContext, { creatorId, creatorName }: PostFlagSearch): Sql[] {
  if ((!creatorId && !creatorName) || maySeeFlaggers(viewer)) return [];
  return [isSignedIn(viewer) ? sql`t.creator_id = ${viewer.id}` : NOTHING];
}
