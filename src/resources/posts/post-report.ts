/** What flags and appeals of posts have in common: a reason, and how many a user may send in a day. */
import { type Db, type Sql, sql } from "../../database/client.js";
import { type FailureKey, failure, type Problems } from "../../errors.js";
import { isStorable } from "../../lib/text.js";
import { NOTHING } from "../../search/listing.js";
import { likePattern } from "../../search/pattern.js";
import { checkText } from "../shared/texts.js";

/** characters */
const REASON_MAX = 500;

/** Adds what is wrong with a reason. @returns the reason as it is stored */
export function checkReason(text: string, problems: Problems): string {
  const reason = text.trim();
  checkText(problems, "reason", reason, { most: REASON_MAX, isRequired: true });
  return reason;
}

/** The text somewhere in the reason, in any case; a text with `*` is a pattern of the whole instead. */
export function reasonMatches(text: string): Sql | null {
  if (text.trim() === "") return null;
  if (!isStorable(text)) return NOTHING;
  const pattern = likePattern(text.trim().toLowerCase());
  return sql`lower(t.reason) LIKE ${text.includes("*") ? pattern : `%${pattern}%`}`;
}

/** First key of the advisory locks on a user's quotas; the second is the user's number. */
const QUOTA_LOCK = 7_303;

/**
 * A user may send so many of them in 24 hours. Requests of one user at the same time are counted one after the other.
 * @param sent the rows that count, `created_at` among their columns
 * @throws BoardError 421, with the seconds until the oldest one counts no longer
 */
export async function checkDailyLimit(
  db: Db,
  userId: number,
  sent: Sql,
  limit: number,
  key: FailureKey,
): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(${QUOTA_LOCK}::int, ${userId}::int)`);
  const [row] = await db.query<{ count: number; wait: number }>(sql`
    SELECT count(*)::int AS count,
      COALESCE(ceil(extract(epoch FROM min(created_at) + interval '1 day' - now())), 0)::int AS wait
      FROM (${sent}) AS sent WHERE created_at > now() - interval '1 day'`);
  if (row && row.count >= limit) throw failure(key, { limit }, { retryAfter: Math.max(1, row.wait) });
}
