/** Limits of records that a user may create in a period, counted by their rows. */
import { type Db, type Sql, sql } from "../../database/client.js";
import { lockKey } from "../../database/lock.js";
import { failure, type FailureKey } from "../../errors.js";
import { MAX_INT } from "../../lib/integers.js";

export interface Quota {
  limit: number;
  within: "hour" | "day";
  otherwise: FailureKey;
}

/** Serializes what counts towards a user's quotas, so that concurrent requests can't exceed them. */
export const lockQuotas = (db: Db, userId: number): Promise<number> => lockKey(db, "quotas", sql`${userId}`);

/**
 * @param made the user's records, with a column `created_at`
 * @throws BoardError 421, with the seconds until there may be another one
 */
export async function checkQuota(db: Db, made: Sql, { limit, within, otherwise }: Quota): Promise<void> {
  const span = sql`${`1 ${within}`}::interval`;
  const [row] = await db.query<{ count: number; wait: number | null }>(sql`
    SELECT count(*)::int AS count,
      ceil(extract(epoch FROM (array_agg(created_at ORDER BY created_at DESC))[${Math.min(limit, MAX_INT)}::int] + ${span} - now()))::int AS wait
      FROM (${made}) AS made WHERE created_at > now() - ${span}`);
  if (row && row.count >= limit) throw failure(otherwise, { limit }, { retryAfter: Math.max(1, row.wait ?? 0) });
}
