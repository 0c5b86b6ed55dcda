/** Lifts expired bans: at the user's next request, or in the hourly job. */
import { type Database, type Sql, sql } from "../../database/client.js";
import type { Transact } from "../../database/transaction.js";

/** The condition that all of a user's bans are over. A ban without a row (set by hand) never expires. */
const allOver = (users: Sql): Sql => sql`coalesce((
  SELECT bool_and(expires_at IS NOT NULL AND expires_at <= now()) FROM bans WHERE bans.user_id = ${users}.id), FALSE)`;

/** The condition that a user is banned, by a ban that is not over. @param users the table, as the statement names it */
export const isBanned = (users: Sql): Sql => sql`(${users}.is_banned AND NOT ${allOver(users)})`;

const ALL_OVER = allOver(sql`users`);

/** Lifts the bans that are over. @returns the number of users who are no longer banned */
export const liftExpiredBans = (transact: Transact): Promise<number> =>
  lift(transact, sql`users.is_banned AND ${ALL_OVER}`);

/** The same for one user, whose row is only locked if the bans are over. @returns whether the user is no longer banned, whoever lifted the ban */
export async function liftExpiredBan(database: Database, transact: Transact, userId: number): Promise<boolean> {
  const user = sql`users.id = ${userId}`;
  const inForce = await database.byKeys(1).query(sql`SELECT FROM users WHERE ${user} AND ${isBanned(sql`users`)}`);
  return inForce.length === 0 && (await lift(transact, user)) > 0;
}

/** The users' rows are locked first, and their bans read again, so that a new ban is never lifted with an old one. */
const lift = (transact: Transact, users: Sql): Promise<number> =>
  transact(async (db) => {
    const locked = await db.query<{ id: number }>(
      sql`SELECT id FROM users WHERE ${users} ORDER BY id FOR NO KEY UPDATE`,
    );
    const ids = locked.map(({ id }) => id);
    return db.execute(sql`
      UPDATE users SET is_banned = FALSE WHERE id = ANY(${ids}::int[]) AND (NOT users.is_banned OR ${ALL_OVER})`);
  });
