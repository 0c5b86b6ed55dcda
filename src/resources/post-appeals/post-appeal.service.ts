/** Appeals: members' requests to keep a post that was deleted or flagged. */
import type { RequestContext } from "../../context.js";
import { sql } from "../../database/client.js";
import { failure, ValidationErrors, requireText, requireFound } from "../../errors.js";
import { requireRight } from "../shared/policy.js";
import { mayAppeal } from "../posts/post.policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Page, type SearchOf } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import { checkQuota, lockQuotas } from "../shared/quota.js";
import { checkReason, type NewReport } from "../posts/post-report.js";
import { lockPostRow } from "../posts/post.records.js";
import * as column from "../shared/columns.js";
import { reading, ReadModel } from "../shared/read-model.js";

export type AppealStatus = "pending" | "succeeded" | "rejected";

const IS_RESOLVED = sql`(NOT (p.is_deleted OR p.is_flagged))`;

/** Deleted after the appeal, for any reason. */
const WAS_REJECTED = sql`EXISTS (SELECT FROM post_flags f
  WHERE f.post_id = t.post_id AND f.is_deletion AND NOT f.is_resolved AND f.created_at >= t.created_at)`;

const STATUS = sql`CASE WHEN ${IS_RESOLVED} THEN 'succeeded' WHEN ${WAS_REJECTED} THEN 'rejected' ELSE 'pending' END`;

const columns = {
  ...column.ofRecord,
  ...column.ofCreator,
  postId: column.integer,
  reason: column.text,
  /** whether the post is neither deleted nor flagged any more */
  isResolved: column.typed<boolean>(sql`boolean`, IS_RESOLVED),
  status: column.typed<AppealStatus>(sql`text`, STATUS),
};
export type PostAppealRecord = column.RecordOf<typeof columns>;

const filters = {
  id: by.ids,
  postId: by.ids,
  ...by.user("creator"),
  reasonMatches: by.on(sql`t.reason`, by.anywhere),
  isResolved: by.on(IS_RESOLVED, by.flag),
};

const appeals = new ReadModel(
  columns,
  sql`post_appeals AS t LEFT JOIN posts p ON p.id = t.post_id LEFT JOIN users u ON u.id = t.creator_id`,
);

export class PostAppealService extends reading(appeals) {
  /** @throws BoardError 424 for too deep a page */
  search(search: SearchOf<typeof filters>, request: PageRequest): Promise<Page<PostAppealRecord>> {
    return appeals.list(this.parts, { where: conditionsOf(filters, search) }, request);
  }

  /** The newest appeals of each post, newest first. @param limit maximum number for one post */
  newestOfPosts(postIds: readonly number[], limit: number): Promise<PostAppealRecord[]> {
    return appeals.newestOfEach(this.parts.database, sql`t.post_id`, postIds, limit);
  }

  /**
   * Appeals for a post.
   * @throws BoardError 403, 404 (no such post), 420 (reason, post neither deleted nor flagged), 421 (too many in a day),
   * 422 (status-locked post), 423 (appealed by the viewer before), 424 (blank reason)
   */
  create(context: RequestContext, { postId, reason }: NewReport): Promise<PostAppealRecord> {
    const { id: creatorId } = requireRight(context.viewer, mayAppeal);
    requireText("post_appeal[reason]", reason);
    return this.parts.transact(async (db) => {
      await lockQuotas(db, creatorId);
      const post = requireFound(await lockPostRow(db, postId));
      if (post.isStatusLocked) throw failure("status_locked");
      const problems = new ValidationErrors();
      const data = { postId, creatorId, creatorIp: context.address, reason: checkReason(reason, problems) };
      if (!post.isDeleted && !post.isFlagged) problems.add("post", "not_appealable");
      problems.throwIfAny();
      if (await db.postAppeal.findUnique({ where: { postId_creatorId: { postId, creatorId } } }))
        throw failure("already_appealed");
      const sent = sql`SELECT created_at FROM post_appeals WHERE creator_id = ${creatorId}`;
      const limit = this.parts.config.APPEALS_PER_DAY;
      await checkQuota(db, sent, { limit, within: "day", otherwise: "appeal_limit" });
      const { id } = await db.postAppeal.create({ data, select: { id: true } });
      return appeals.get(db, id);
    });
  }
}
