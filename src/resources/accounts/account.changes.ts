/** What changes of an account's password, key and state do to the database: steps of a transaction that locks its row. */
import { createHash, randomBytes } from "node:crypto";
import { Level } from "../../runtime/auth/levels.js";
import { type Db, sql } from "../../database/client.js";
import { lockRow } from "../../database/lock.js";
import { failure } from "../../errors.js";
import { NO_SESSION, notify } from "../../runtime/events/events.js";
import { endSessions } from "../session/session.service.js";

const HOUR = 3_600_000;

/** What ends with an API key. */
export interface Ending {
  /** whether the sessions of browsers end as well */
  sessions: boolean;
}

/**
 * Gives an account another bcrypt string, and with it another API key. The old key and the cookies of the specification,
 * which hold it, end; so does what is still open in their name.
 * @param expected the string that the password was checked against; should it be another by now, nothing is changed
 * @throws BoardError 403 `authentication_failed`
 */
export async function replaceHash(
  db: Db,
  userId: number,
  passwordHash: string,
  { sessions }: Ending,
  expected?: string,
): Promise<void> {
  const isExpected = expected === undefined ? sql`TRUE` : sql`password_hash = ${expected}`;
  const count = await db.execute(sql`UPDATE users SET password_hash = ${passwordHash}, updated_at = now()
    WHERE id = ${userId} AND NOT is_deleted AND ${isExpected}`);
  if (count === 0) throw failure("authentication_failed");
  await db.accountRecovery.deleteMany({ where: { userId } });
  if (sessions) {
    await endSessions(db, userId);
    await db.knownAddress.deleteMany({ where: { userId } });
  }
  await notify(db, { type: "session_ended", id: NO_SESSION, about: userId });
}

/** A bcrypt string that no password makes. */
const noPassword = (): string =>
  `$2b$12$${randomBytes(40).toString("base64url").replaceAll(/[-_]/g, ".").slice(0, 53)}`;

/** What a closed account is called; the characters at the end are those that no sign-up may use. */
const closedName = (userId: number): string => `user_${userId}~`;

/**
 * Closes an account: name, address for mail, settings, key and sessions go, the favorites become private, and what the user
 * has written stays.
 * @throws BoardError 422 for the last Admin
 */
export async function closeAccount(db: Db, userId: number): Promise<void> {
  await keepAnAdmin(db, userId);
  await replaceHash(db, userId, noPassword(), { sessions: true });
  await db.execute(sql`
    UPDATE users SET name = ${closedName(userId)}, is_deleted = TRUE, email = NULL, last_ip = NULL,
           blacklisted_tags = DEFAULT, favorite_tags = DEFAULT, comment_threshold = DEFAULT, per_page = DEFAULT,
           default_image_size = DEFAULT, time_zone = DEFAULT, enable_private_favorites = TRUE
     WHERE id = ${userId}`);
}

/** Locks the Admins and the account, and goes on when an Admin is left. @throws BoardError 422 */
async function keepAnAdmin(db: Db, userId: number): Promise<void> {
  const admins = await db.query<{ id: number }>(sql`
    SELECT id FROM users WHERE level >= ${Level.Admin} AND NOT is_deleted ORDER BY id FOR NO KEY UPDATE`);
  const isOnly = admins.length === 1 && admins[0]?.id === userId;
  if (isOnly) throw failure("last_admin");
  await lockRow(db, "users", userId);
}

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** A way back into an account, by which the one before ends. @returns the token, which is stored nowhere */
export async function makeRecovery(db: Db, userId: number): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(Date.now() + HOUR);
  await db.execute(sql`
    INSERT INTO account_recoveries (user_id, token_hash, expires_at) VALUES (${userId}, ${hashOf(token)}, ${expiresAt})
      ON CONFLICT (user_id) DO UPDATE
      SET token_hash = EXCLUDED.token_hash, expires_at = EXCLUDED.expires_at, created_at = now()`);
  return { token, expiresAt };
}

/** @returns whose account a token leads into; null for one of nothing, used before or too old */
export async function findRecovery(db: Db, token: string): Promise<number | null> {
  const [found] = await db.query<{ userId: number }>(sql`
    SELECT user_id AS "userId" FROM account_recoveries WHERE token_hash = ${hashOf(token)} AND expires_at > now()`);
  return found?.userId ?? null;
}

/** Uses up what `findRecovery` found. @returns whether it was there still: of two at once, one is the first */
export async function takeRecovery(db: Db, token: string): Promise<boolean> {
  const taken = await db.execute(sql`DELETE FROM account_recoveries WHERE token_hash = ${hashOf(token)}`);
  return taken > 0;
}
