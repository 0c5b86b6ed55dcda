/** Sessions: the sign-ins of browsers, each with a random token of its own, that their user can list and end. */
import { AsyncResource } from "node:async_hooks";
import type { Caller } from "../../runtime/auth/credentials.js";
import { hashToken, makeToken } from "../../runtime/auth/token.js";
import type { SignedIn, Viewer } from "../../runtime/auth/viewer.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { removeExpired } from "../../database/sweep.js";
import { failure } from "../../errors.js";
import { notify } from "../../runtime/events/events.js";
import { requireAccount } from "../shared/policy.js";
import type { Page } from "../../search/listing.js";
import type { Logger } from "../../runtime/telemetry/log.js";
import type { PageRequest } from "../shared/paging.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";
import type { ServiceParts } from "../shared/service.js";

const columns = {
  id: column.integer,
  userId: column.integer,
  createdAt: column.time,
  /** exact to the hour */
  lastUsedAt: column.time,
  /** the client's address at its last use; shown only to the session's user */
  address: column.typed<string>(sql`text`, sql`host(t.address)`),
  /** the User-Agent at its last use; empty if there was none */
  userAgent: column.text,
};
export type SessionRecord = column.RecordOf<typeof columns>;

export interface NewSession {
  id: number;
  /** the cookie's value: 256 bits, of which only a hash is stored */
  token: string;
}

export type SessionAccount = Omit<Required<SignedIn>, "proof">;

/** Per user; the next sign-in ends the least recently used session. */
const MAX_SESSIONS = 100;
const USER_AGENT_MAX = 300;
const TOKEN = /^[\w-]{43}$/;

const IS_ALIVE = sql`t.last_used_at > now() - interval '30 days'`;
const IS_DUE = sql`t.last_used_at < now() - interval '1 hour'`;

const sessions = new ReadModel(columns, sql`user_sessions AS t`);

const shortened = ({ userAgent = "" }: Caller): string => userAgent.slice(0, USER_AGENT_MAX);

export class SessionService {
  /** sessions whose last use is being updated */
  private readonly noting = new Set<number>();

  constructor(private readonly parts: ServiceParts & { log: Logger }) {}

  /**
   * Creates a session.
   * @param account `passwordHash` is what was checked: if it has changed meanwhile, no session is created
   * @throws BoardError 403 `authentication_failed`
   */
  create(account: { id: number; passwordHash: string }, caller: Caller): Promise<NewSession> {
    const token = makeToken();
    return this.parts.transact(async (db) => {
      const [user] = await db.query<object>(sql`SELECT 1 FROM users
         WHERE id = ${account.id} AND password_hash = ${account.passwordHash} AND NOT is_deleted FOR NO KEY UPDATE`);
      if (!user) throw failure("authentication_failed");
      await endOldest(db, account.id);
      const [made] = await db.query<{ id: number }>(sql`
        INSERT INTO user_sessions (user_id, token_hash, address, user_agent)
        VALUES (${account.id}, ${hashToken(token)}, ${caller.address}::inet, ${shortened(caller)}) RETURNING id`);
      return { id: (made as { id: number }).id, token };
    });
  }

  /** The account of the session with this token; null if there is none, or it has ended. Updates its last use in the background. */
  async use(token: string, caller: Caller): Promise<SessionAccount | null> {
    if (!TOKEN.test(token)) return null;
    const [found] = await this.parts.database.byKeys(1).query<SessionAccount & { isDue: boolean }>(sql`
      SELECT t.id AS "sessionId", u.id, u.name, u.level, u.is_banned AS "isBanned", u.created_at AS "createdAt",
        ${IS_DUE} AS "isDue"
        FROM user_sessions AS t JOIN users AS u ON u.id = t.user_id
       WHERE t.token_hash = ${hashToken(token)} AND ${IS_ALIVE} AND NOT u.is_deleted`);
    if (!found) return null;
    const { isDue, ...account } = found;
    if (isDue) void this.note(account.sessionId, caller);
    return account;
  }

  /** The viewer's own sessions, newest first. @throws BoardError 403 for a visitor, 424 for too deep a page */
  async list(viewer: Viewer, request: PageRequest): Promise<Page<SessionRecord>> {
    const { id } = requireAccount(viewer);
    return sessions.list(this.parts, { where: [sql`t.user_id = ${id}`, IS_ALIVE] }, request);
  }

  /** Ends one of the viewer's own sessions. @throws BoardError 403 for a visitor, 404 */
  async endOwn(viewer: Viewer, id: number): Promise<void> {
    if (!(await this.end(requireAccount(viewer).id, id))) throw failure("not_found");
  }

  /**
   * Ends the viewer's own sessions.
   * @param exceptCurrent whether the current session stays
   * @returns the number of ended sessions
   * @throws BoardError 403 for a visitor
   */
  async endAllOwn(viewer: Viewer, exceptCurrent: boolean): Promise<number> {
    const { id } = requireAccount(viewer);
    return this.parts.transact((db) => endSessions(db, id, exceptCurrent ? viewer.sessionId : undefined));
  }

  /** Ends one of a user's sessions. @returns whether it existed */
  end(userId: number, id: number): Promise<boolean> {
    return this.parts.transact(async (db) => (await endThose(db, userId, sql`id = ${id}`)) > 0);
  }

  /** Removes expired sessions. @returns their number */
  sweep(): Promise<number> {
    return removeExpired(this.parts.database, "user_sessions", sql`NOT (${IS_ALIVE})`);
  }

  /** Never fails; runs outside of its request's scope, which may read from a replica and has a deadline. */
  private readonly note = AsyncResource.bind(async (id: number, caller: Caller): Promise<void> => {
    if (this.noting.has(id)) return;
    this.noting.add(id);
    try {
      await this.parts.database.execute(sql`
        UPDATE user_sessions AS t
           SET last_used_at = now(), address = ${caller.address}::inet, user_agent = ${shortened(caller)}
         WHERE t.id = ${id} AND ${IS_DUE}`);
    } catch (error) {
      this.parts.log.warn({ err: error }, "the last use of a session could not be recorded");
    } finally {
      this.noting.delete(id);
    }
  });
}

/** Ends the sessions of a user, all of them or all but one, as part of a transaction. @returns their number */
export const endSessions = (db: Db, userId: number, exceptId = 0): Promise<number> =>
  endThose(db, userId, sql`id <> ${exceptId}`);

/** Ends the least recently used sessions, so that there is room for a new one. */
const endOldest = (db: Db, userId: number): Promise<number> =>
  endThose(
    db,
    userId,
    sql`id IN (SELECT id FROM user_sessions WHERE user_id = ${userId}
                ORDER BY last_used_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1})`,
  );

/** Deletes a user's sessions that meet a condition, and makes every process close their connections. */
async function endThose(db: Db, userId: number, condition: Sql): Promise<number> {
  const ended = await db.query<{ id: number }>(sql`
    DELETE FROM user_sessions WHERE user_id = ${userId} AND ${condition} RETURNING id`);
  for (const { id } of ended) await notify(db, { type: "session_ended", id, about: userId });
  return ended.length;
}
