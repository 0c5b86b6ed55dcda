/** Whose account a request is about, and changes of its password, key and state in the database: steps of a transaction that locks its row. */
import { randomBytes } from "node:crypto";
import { isBanned } from "../../runtime/auth/expired-bans.js";
import { hashToken, makeToken } from "../../runtime/auth/token.js";
import { Level } from "../../runtime/auth/levels.js";
import { type Db, sql } from "../../database/client.js";
import { lockRow } from "../../database/lock.js";
import { removeExpired } from "../../database/sweep.js";
import { failure, ValidationErrors } from "../../errors.js";
import { checkPassword } from "../../runtime/auth/password.js";
import { isSignedIn, type SignedIn, type Viewer } from "../../runtime/auth/viewer.js";
import { NO_SESSION, notify } from "../../runtime/events/events.js";
import { endSessions } from "../session/session.service.js";
import { authorize } from "../shared/policy.js";
import { mayChange } from "./account.policy.js";

const HOUR = 3_600_000;

/**
 * The viewer, if the account is theirs.
 * @param userId the account in the request; by default the viewer's
 * @throws BoardError 403 for visitors and for other accounts, 404 for unknown ones
 */
export async function requireOwnAccount(db: Db, viewer: Viewer, userId?: number | null): Promise<SignedIn> {
  authorize(viewer, isSignedIn(viewer));
  const id = userId ?? viewer.id ?? 0;
  const isKnown = id === viewer.id || (await db.user.count({ where: { id } })) > 0;
  if (!isKnown) throw failure("not_found");
  authorize(viewer, mayChange(viewer, { id }));
  return viewer as SignedIn;
}

export interface NewPassword {
  password: string;
  passwordConfirmation?: string | null;
}

/** @throws BoardError 420 */
export async function checkNewPassword(given: NewPassword): Promise<void> {
  const problems = new ValidationErrors();
  await checkPassword(problems, given);
  problems.throwIfAny();
}

/**
 * Stores another bcrypt string, and with it another API key. The old key and the specification's cookies,
 * which contain it, become invalid, and connections opened with them are closed.
 * @param sessions whether browser sessions end as well
 * @param expected the string against which the password was checked; if it has changed meanwhile, nothing is changed
 * @throws BoardError 403 `authentication_failed`
 */
export async function replaceHash(
  db: Db,
  userId: number,
  passwordHash: string,
  { sessions }: { sessions: boolean },
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

/**
 * Locks an account until the transaction ends, of all accounts one at a time. What a change of its name counts is locked before it, as by edits that change categories of
 * tags, which lock their user last.
 */
export async function lockAccount(db: Db, userId: number): Promise<void> {
  await db.execute(sql`SELECT FROM tag_generation FOR NO KEY UPDATE`);
  await lockRow(db, "users", userId);
}

/**
 * Closes an account that the transaction has locked: name, mail address, settings, key and sessions are removed, the favorites become private, and what the user
 * has written stays.
 * @param expected as for `replaceHash`
 * @throws BoardError 403 `authentication_failed`, 422 for the last Admin who is not banned
 */
export async function closeAccount(db: Db, userId: number, expected?: string): Promise<void> {
  const admins = await db.query<{ id: number }>(sql`
    SELECT id FROM users
     WHERE level >= ${Level.Admin} AND NOT is_deleted AND (id = ${userId} OR NOT ${isBanned(sql`users`)}) LIMIT 2`);
  if (admins.length === 1 && admins[0]?.id === userId) throw failure("last_admin");
  const noPassword = `$2b$12$${randomBytes(40).toString("base64url").replaceAll(/[-_]/g, ".").slice(0, 53)}`;
  const name = `user_${userId}~`; // no sign-up may use the character at its end
  await replaceHash(db, userId, noPassword, { sessions: true }, expected);
  await db.execute(sql`
    UPDATE users SET name = ${name}, is_deleted = TRUE, email = NULL, last_ip = NULL,
           blacklisted_tags = DEFAULT, favorite_tags = DEFAULT, comment_threshold = DEFAULT, per_page = DEFAULT,
           default_image_size = DEFAULT, time_zone = DEFAULT, enable_private_favorites = TRUE
     WHERE id = ${userId}`);
}

/** Creates a recovery token, which invalidates an earlier one. @returns the token, of which only a hash is stored */
export async function makeRecovery(db: Db, userId: number): Promise<{ token: string; expiresAt: Date }> {
  const token = makeToken();
  const expiresAt = new Date(Date.now() + HOUR);
  await db.execute(sql`
    INSERT INTO account_recoveries (user_id, token_hash, expires_at) VALUES (${userId}, ${hashToken(token)}, ${expiresAt})
      ON CONFLICT (user_id) DO UPDATE
      SET token_hash = EXCLUDED.token_hash, expires_at = EXCLUDED.expires_at, created_at = now()`);
  return { token, expiresAt };
}

/** @returns the account of a token; null if it is unknown, used or expired */
export async function findRecovery(db: Db, token: string): Promise<number | null> {
  const [found] = await db.query<{ userId: number }>(sql`
    SELECT user_id AS "userId" FROM account_recoveries WHERE token_hash = ${hashToken(token)} AND expires_at > now()`);
  return found?.userId ?? null;
}

/** Deletes expired tokens. @returns their number */
export const sweepRecoveries = (db: Db): Promise<number> =>
  removeExpired(db, "account_recoveries", sql`expires_at < now()`);

/** Deletes what `findRecovery` found. @returns false if a concurrent request was faster */
export async function takeRecovery(db: Db, token: string): Promise<boolean> {
  const taken = await db.execute(sql`DELETE FROM account_recoveries WHERE token_hash = ${hashToken(token)}`);
  return taken > 0;
}
