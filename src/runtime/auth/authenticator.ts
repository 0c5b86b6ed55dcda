/** Turns credentials into a viewer. Wrong ones are refused (403), never treated as anonymous; ended sessions are ignored. */
import { type Database, sql } from "../../database/client.js";
import type { Transact } from "../../database/transaction.js";
import { BoardError, failure } from "../../errors.js";
import { NO_SESSION, notify } from "../events/events.js";
import { isStorable } from "../../lib/text.js";
import type { RequestContext } from "../../context.js";
import { type AuditedActor, type AuditLog, doneBy } from "../telemetry/audit.js";
import type { MaybePromise } from "../../lib/maybe-promise.js";
import { normalizeUserName } from "../../lib/names.js";
import { isUserName } from "../../database/user-name.js";
import type { Limiter } from "../limits/limiter.js";
import type { Config } from "../../config.js";
import type { SessionAccount, SessionService } from "../../resources/session/session.service.js";
import type { Caller, Credentials, NamedCredentials } from "./credentials.js";
import { liftExpiredBan } from "./expired-bans.js";
import type { KnownAddresses } from "./known-addresses.js";
import { constantTimeEqual, LegacyVerifier, legacyHash } from "./password.js";
import { ANONYMOUS, type Proof, type Viewer } from "./viewer.js";

interface Account extends Omit<SessionAccount, "sessionId"> {
  passwordHash: string;
}

const NO_HASH = "-".repeat(60);

export class Authenticator {
  private readonly legacy: LegacyVerifier;
  /** the stored hashes that credentials with a `password_hash` have matched */
  private readonly matched = new WeakMap<NamedCredentials, string>();

  constructor(
    private readonly database: Database,
    private readonly transact: Transact,
    private readonly limiter: Limiter,
    private readonly sessions: SessionService,
    private readonly known: KnownAddresses,
    private readonly audit: AuditLog,
    private readonly config: Config,
  ) {
    this.legacy = new LegacyVerifier(config.BCRYPT_COST);
  }

  /**
   * The viewer of the credentials.
   * @throws BoardError 403 `authentication_failed` (explicit credentials that are wrong), 421 after too many failures
   */
  async authenticate(credentials: Credentials | null, caller: Caller): Promise<Viewer> {
    if (!credentials) return ANONYMOUS;
    if (credentials.proof === "session") return (await this.bySession(credentials.token, caller)) ?? ANONYMOUS;
    const { proof, name, secret } = credentials;
    // an API key can't be guessed, a password can: only passwords are throttled, so nobody can lock out a key
    if (proof === "password_hash") {
      const account = await this.guess(name, secret, { by: null, address: caller.address, proof });
      await this.known.note(account, caller.address);
      this.matched.set(credentials, account.passwordHash);
      return this.admit(account, proof);
    }
    const account = await this.find(name);
    if (proves(secret, account)) return this.admit(account, proof);
    if (proof === "cookie") return ANONYMOUS;
    throw failure("authentication_failed");
  }

  /**
   * Checks a name and a password, for a new session.
   * @returns the account and its stored hash
   * @throws BoardError 403 `authentication_failed`, 421 after too many failures
   */
  async signIn(name: string, password: string, context: RequestContext): Promise<{ id: number; passwordHash: string }> {
    const given = legacyHash(password, this.config.PASSWORD_SALT);
    const { id, passwordHash } = await this.guess(name, given, { ...doneBy(context), by: null, proof: "password" });
    await this.database.user.update({ where: { id }, data: { lastLoggedInAt: new Date() } });
    this.audit.record("sign_in", { ...doneBy(context), user: id, by: id });
    return { id, passwordHash };
  }

  /**
   * Checks the viewer's password.
   * @returns the stored hash that it matched
   * @throws BoardError 403 `authentication_failed`, 421 after too many failures
   */
  async confirm(context: RequestContext, password: string): Promise<string> {
    const given = legacyHash(password, this.config.PASSWORD_SALT);
    const account = await this.guess(context.viewer.name, given, { ...doneBy(context), proof: "password" });
    return account.passwordHash;
  }

  /**
   * The account of a legacy hash, within the limit of failures; failures are recorded, without what was sent.
   * @throws BoardError 403 `authentication_failed`, 421 after too many failures
   */
  private async guess(
    name: string,
    given: string,
    by: AuditedActor & { proof: "password" | "password_hash" },
  ): Promise<Account> {
    const address = by.address ?? "";
    const { userId, isKnown } = await this.known.look(name, address);
    const guess = { name: normalizeUserName(name), address, isKnown };
    try {
      const proved = await this.limiter.attempt(guess, async () => {
        const account = await this.find(name);
        return (await this.legacy.verify(given, account?.passwordHash ?? null, address)) ? account : null;
      });
      if (!proved) throw failure("authentication_failed");
      return proved;
    } catch (error) {
      const reason = error instanceof BoardError ? error.key : "internal";
      this.audit.record("password_refused", { ...by, user: userId, reason });
      throw error;
    }
  }

  /**
   * The current viewer of credentials that were valid before; null if they no longer are. Not throttled, since
   * these are not guesses, and no password is hashed again.
   */
  async renew(credentials: Credentials | null, caller: Caller): Promise<Viewer | null> {
    if (!credentials) return ANONYMOUS;
    if (credentials.proof === "session") return this.bySession(credentials.token, caller);
    const { proof, name, secret } = credentials;
    const account = await this.find(name);
    const key = proof === "password_hash" ? (this.matched.get(credentials) ?? "") : secret;
    return proves(key, account) ? this.admit(account, proof) : null;
  }

  /** Ends the viewer's session, and closes its connections in every process. */
  async signOut({ id, proof, sessionId }: Viewer): Promise<void> {
    if (id === null) return;
    if (sessionId !== undefined) await this.sessions.end(id, sessionId);
    else if (proof === "cookie") await notify(this.database, { type: "session_ended", id: NO_SESSION, about: id });
  }

  private async bySession(token: string, caller: Caller): Promise<Viewer | null> {
    const found = await this.sessions.use(token, caller);
    return found && { ...(await this.admit(found, "session")), sessionId: found.sessionId };
  }

  /** The viewer of an account; lifts a ban that is over. */
  private admit(account: Omit<Account, "passwordHash">, proof: Proof): MaybePromise<Viewer> {
    const { id, name, level, createdAt } = account;
    const viewer = { id, name, level, isBanned: false, proof, createdAt };
    if (!account.isBanned) return viewer;
    return liftExpiredBan(this.database, this.transact, id).then((isLifted) => ({ ...viewer, isBanned: !isLifted }));
  }

  private find(name: string): MaybePromise<Account | null> {
    if (!isStorable(name)) return null;
    const found = this.database.byKeys(1).query<Account>(sql`
      SELECT id, name, level, is_banned AS "isBanned", password_hash AS "passwordHash", created_at AS "createdAt"
        FROM users WHERE ${isUserName(sql`name`, name)} AND NOT is_deleted`);
    return found.then(([account]) => account ?? null);
  }
}

function proves(key: string, account: Account | null): account is Account {
  const equal = constantTimeEqual(key, account?.passwordHash ?? NO_HASH);
  return equal && account !== null;
}
