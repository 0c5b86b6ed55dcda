/** Bans end by themselves: at the user's next request, or by the hourly job, whichever comes first. */
import { type Sql, sql } from "../../database/client.js";
import type { Transact } from "../../database/transaction.js";

/** The user has bans, and all of them are over. A ban without a row (set by hand) never ends by itself. */
const ALL_OVER = sql`EXISTS (SELECT FROM bans WHERE bans.user_id = users.id)
  AND NOT EXISTS (SELECT FROM bans WHERE bans.user_id = users.id AND (expires_at IS NULL OR expires_at > now()))`;

/**
 * Lifts the bans that are over. The users' rows are locked first, so that a new ban is never lifted with an old one.
 * @returns how many users may write again
 */
export const liftExpiredBans = (transact: Transact): Promise<number> => lift(transact, sql`users.is_banned`);

/** The same for one user. @returns whether the user may write again */
export const liftExpiredBan = async (transact: Transact, userId: number): Promise<boolean> =>
  (await lift(transact, sql`users.is_banned AND users.id = ${userId}`)) > 0;

const lift = (transact: Transact, users: Sql): Promise<number> =>
  transact(async (db) => {
    await db.query(sql`SELECT 1 FROM users WHERE ${users} ORDER BY id FOR NO KEY UPDATE`);
    return db.execute(sql`UPDATE users SET is_banned = FALSE WHERE ${users} AND ${ALL_OVER}`);
  });
