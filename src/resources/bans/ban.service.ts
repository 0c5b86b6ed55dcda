/** Bans: users who may read but not write, for a time or permanently. */
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { lockRow } from "../../database/lock.js";
import { failure, invalid, ValidationErrors } from "../../errors.js";
import { mayBan } from "./ban.policy.js";
import { authorize, requireLevel } from "../shared/policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Page, type SearchOf } from "../../search/listing.js";
import { recordModAction } from "../mod-actions/mod-action.js";
import type { PageRequest } from "../shared/paging.js";
import { checkReason } from "../posts/post-report.js";
import * as column from "../shared/columns.js";
import { reading, ReadModel } from "../shared/read-model.js";
import { userRecords, type UserRecord } from "../users/user.records.js";

const IS_EXPIRED = sql`(t.expires_at IS NOT NULL AND t.expires_at <= now())`;

const columns = {
  ...column.ofRecord,
  userId: column.integer,
  userName: column.userName(),
  bannerId: column.integer,
  bannerName: column.userName("b"),
  reason: column.text,
  /** null if permanent */
  expiresAt: column.nullable(column.time),
  isExpired: column.typed<boolean>(sql`boolean`, IS_EXPIRED),
};
export type BanRecord = column.RecordOf<typeof columns>;

const filters = {
  id: by.ids,
  ...by.user("user"),
  ...by.user("banner"),
  reasonMatches: by.on(sql`t.reason`, by.anywhere),
  expired: by.on(IS_EXPIRED, by.flag),
};

export interface NewBan {
  userId: number;
  reason: string;
  /** days; absent if permanent */
  duration?: number | null;
}

/** A hundred years, in days. */
const DURATION_MAX = 36_500;

const bans = new ReadModel(
  columns,
  sql`bans AS t LEFT JOIN users u ON u.id = t.user_id LEFT JOIN users b ON b.id = t.banner_id`,
);

export class BanService extends reading(bans) {
  /** @throws BoardError 424 for too deep a page */
  search(search: SearchOf<typeof filters>, request: PageRequest): Promise<Page<BanRecord>> {
    return bans.list(this.parts, { where: conditionsOf(filters, search) }, request);
  }

  /**
   * Bans a user, and adds a feedback about it.
   * @throws BoardError 403 (below Moderator, or the user is not below the viewer), 404, 420 (reason, duration), 423 (is
   * banned already)
   */
  create(context: RequestContext, { userId, reason, duration }: NewBan): Promise<BanRecord> {
    return this.onUser(context, userId, async (db, user, bannerId) => {
      const checked = checkBan(reason, duration);
      if (user.isBanned) throw failure("already_banned", { parameter: "user" });
      const expiresAt = duration ? new Date(Date.now() + duration * 86_400_000) : null;
      const data = { userId, bannerId, reason: checked, expiresAt };
      const { id } = await db.ban.create({ data, select: { id: true } });
      await setBanned(db, userId, true);
      const feedback = { userId, creatorId: bannerId, category: "negative", body: `Banned: ${checked}` };
      await db.userFeedback.create({ data: feedback, select: { id: true } });
      const length = duration ? `for ${duration} days` : "for ever";
      const done = `banned user #${userId} ${length}: ${checked}`;
      await recordModAction(db, context.viewer, "user_ban", done, { type: "User", id: userId });
      return bans.get(db, id);
    });
  }

  /**
   * Ends the bans of a user now; their records stay.
   * @returns the last one; null if the user has none
   * @throws BoardError 403 as for `create`, 404, 420 (not banned)
   */
  end(context: RequestContext, userId: number): Promise<BanRecord | null> {
    return this.onUser(context, userId, async (db, user) => {
      if (!user.isBanned) throw invalid("user", "not_banned");
      // the column is rounded to milliseconds, and rounding up would give a time in the future
      await db.execute(sql`
        UPDATE bans SET expires_at = date_trunc('milliseconds', now()), updated_at = now()
         WHERE user_id = ${userId} AND (expires_at IS NULL OR expires_at > now())`);
      await setBanned(db, userId, false);
      await recordModAction(db, context.viewer, "user_unban", `unbanned user #${userId}`, { type: "User", id: userId });
      const last = await db.ban.findFirst({ where: { userId }, orderBy: { id: "desc" }, select: { id: true } });
      return last && bans.byId(db, last.id);
    });
  }

  private onUser<T>(
    context: RequestContext,
    userId: number,
    work: (db: Db, user: UserRecord, bannerId: number) => Promise<T>,
  ): Promise<T> {
    const banner = requireLevel(context.viewer);
    return this.parts.transact(async (db) => {
      if (!(await lockRow(db, "users", userId))) throw failure("not_found");
      const user = await userRecords.get(db, userId);
      authorize(banner, mayBan(banner, user));
      return work(db, user, banner.id);
    });
  }
}

function checkBan(reason: string, duration: number | null | undefined): string {
  const problems = new ValidationErrors();
  const checked = checkReason(reason, problems);
  if (typeof duration === "number" && (duration < 1 || duration > DURATION_MAX))
    problems.add("duration", "outside_range", { least: 1, most: DURATION_MAX });
  problems.throwIfAny();
  return checked;
}

const setBanned = (db: Db, userId: number, isBanned: boolean): Promise<unknown> =>
  db.user.update({ where: { id: userId }, data: { isBanned }, select: { id: true } });
