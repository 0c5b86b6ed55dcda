/** Lifts expired bans: at the user's next request, or in the hourly job. */
import { type Database, type Sql, sql } from "../../database/client.js";
import type { Transact } from "../../database/transaction.js";

/** The condition that all of a user's bans are over. A ban without a row (set by hand) never expires. */
const ALL_OVER = sql`EXISTS (SELECT FROM bans WHERE bans.user_id = users.id)
  AND NOT EXISTS (SELECT FROM bans WHERE bans.user_id = users.id AND (expires_at IS NULL OR expires_at > now()))`;

/**
 * Lifts the bans that are over. The users' rows are locked first, so that a new ban is never lifted with an old one.
 * @returns the number of users whose ban was lifted
 */
export const liftExpiredBans = (transact: Transact): Promise<number> => lift(transact, sql`users.is_banned`);

/** The same for one user, whose row is only locked if the bans are over. @returns whether the user is no longer banned, whoever lifted the ban */
export async function liftExpiredBan(database: Database, transact: Transact, userId: number): Promise<boolean> {
  const user = sql`users.id = ${userId}`;
  const inForce = await database
    .byKeys(1)
    .query(sql`SELECT FROM users WHERE ${user} AND users.is_banned AND NOT (${ALL_OVER})`);
  return inForce.length === 0 && (await lift(transact, user)) > 0;
}

const lift = (transact: Transact, users: Sql): Promise<number> =>
  transact(async (db) => {
    await db.query(sql`SELECT 1 FROM users WHERE ${users} ORDER BY id FOR NO KEY UPDATE`);
    return db.execute(sql`UPDATE users SET is_banned = FALSE WHERE ${users} AND (NOT users.is_banned OR ${ALL_OVER})`);
  });
