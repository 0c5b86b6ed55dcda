/** Turns credentials into a viewer. Wrong ones are refused (403), never taken as anonymous; a stale cookie is just no cookie. */
import type { PrismaClient } from "../database/client.js";
import type { Queryable } from "../database/direct.js";
import { failure } from "../errors.js";
import { notify } from "../events/events.js";
import { isStorable } from "../lib/text.js";
import { normalizeUserName } from "../lib/names.js";
import type { Limiter } from "../limits/limiter.js";
import type { Config } from "../config.js";
import type { Credentials } from "./credentials.js";
import { liftExpiredBan } from "./expired-bans.js";
import { constantTimeEqual, LegacyVerifier, legacyHash } from "./password.js";
import { ANONYMOUS, type Proof, type Viewer } from "./viewer.js";

interface Account {
  id: number;
  name: string;
  level: number;
  isBanned: boolean;
  isDeleted: boolean;
  passwordHash: string;
}

const NO_HASH = "-".repeat(60);

export class Authenticator {
  private readonly legacy: LegacyVerifier;

  /** @param reader finds accounts, at every request of theirs: by a prepared statement */
  constructor(
    private readonly prisma: PrismaClient,
    private readonly reader: Queryable,
    private readonly limiter: Limiter,
    private readonly config: Config,
  ) {
    this.legacy = new LegacyVerifier(config.BCRYPT_COST);
  }

  /**
   * The viewer that the credentials prove.
   * @throws BoardError 403 `authentication_failed` (explicit credentials that are wrong), 421 after too many failures
   */
  async authenticate(credentials: Credentials | null, address: string): Promise<Viewer> {
    if (!credentials) return ANONYMOUS;
    // An API key can't be guessed; a password's hash can. So only the latter is throttled, and nobody can lock out a key.
    const isGuessable = credentials.proof === "password_hash";
    const found: { account?: Account | null } = {};
    const proves = async () => {
      found.account = await this.find(credentials.name);
      return this.proves(credentials, found.account);
    };
    const name = normalizeUserName(credentials.name);
    const proved = isGuessable ? await this.limiter.attempt(name, address, proves) : await proves();
    if (found.account && proved) return this.admit(found.account, credentials.proof);
    if (credentials.proof === "cookie") return ANONYMOUS;
    throw failure("authentication_failed");
  }

  /**
   * Checks a name and a password, for a new session.
   * @returns the viewer and the stored hash, which the session cookie carries
   * @throws BoardError 403 `authentication_failed`, 421 after too many failures
   */
  async signIn(name: string, password: string, address: string): Promise<{ viewer: Viewer; passwordHash: string }> {
    const given = legacyHash(password, this.config.PASSWORD_SALT);
    const found: { account?: Account | null } = {};
    const proves = async () => {
      found.account = await this.find(name);
      return this.legacy.verify(given, found.account?.passwordHash ?? null);
    };
    const proved = await this.limiter.attempt(normalizeUserName(name), address, proves);
    const { account } = found;
    if (!account || !proved) throw failure("authentication_failed");
    await this.prisma.user.update({ where: { id: account.id }, data: { lastLoggedInAt: new Date() } });
    return { viewer: await this.admit(account, "cookie"), passwordHash: account.passwordHash };
  }

  /**
   * The viewer that credentials prove which were accepted before; null when they no longer prove anything. What was right
   * once is no guess, so nothing is throttled.
   */
  async renew(credentials: Credentials | null): Promise<Viewer | null> {
    if (!credentials) return ANONYMOUS;
    const account = await this.find(credentials.name);
    return (await this.proves(credentials, account)) ? this.admit(account as Account, credentials.proof) : null;
  }

  /** Tells every process that a session has ended, for what is still open in its name. */
  async signOut({ id, proof }: Viewer): Promise<void> {
    if (id !== null && proof === "cookie") await notify(this.prisma, { type: "session_ended", id, about: id });
  }

  /** The account's viewer; a ban that is over is lifted on the way. */
  private async admit(account: Account, proof: Proof): Promise<Viewer> {
    const isBanned = account.isBanned && !(await liftExpiredBan(this.prisma, account.id));
    return { id: account.id, name: account.name, level: account.level, isBanned, proof };
  }

  private async proves(credentials: Credentials, account: Account | null): Promise<boolean> {
    if (credentials.proof === "password_hash") {
      return this.legacy.verify(credentials.secret, account?.passwordHash ?? null);
    }
    const equal = constantTimeEqual(credentials.secret, account?.passwordHash ?? NO_HASH);
    return equal && account !== null;
  }

  private async find(name: string): Promise<Account | null> {
    if (!isStorable(name)) return null;
    const [account] = await this.reader.$queryRaw<Account[]>`
      SELECT id, name, level, is_banned AS "isBanned", is_deleted AS "isDeleted", password_hash AS "passwordHash"
        FROM users WHERE lower(name) = ${normalizeUserName(name)}`;
    return account && !account.isDeleted ? account : null;
  }
}
