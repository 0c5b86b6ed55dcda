/**
 * Sessions of browsers: the cookie of a session, which has its random token, and, with LEGACY_COOKIES,
 * those of the REST interface: `user_name`, signed, and `password_hash`, the API key. And which requests may rely on them.
 */
import { serialize } from "cookie";
import { sign, unsign } from "cookie-signature";
import type { BegunSession, BrowserSession } from "../../graphql/context.js";
import type { SessionCookies } from "../runtime/auth/credentials.js";
import { constantTimeEqual } from "../runtime/auth/password.js";
import { csrfToken } from "../runtime/auth/secret.js";
import { ANONYMOUS, reliesOnCookies, type Viewer } from "../runtime/auth/viewer.js";
import { failure } from "../errors.js";
import type { Exchange } from "./exchange.js";

const DAY = 24 * 3600 * 1000;
/** The maximum age of cookies in browsers. The board ends a session that was not used for 30 days. */
const SESSION_AGE = 400 * DAY;
const LEGACY_AGE = 20 * 365 * DAY;

/** Browsers accept a name with `__Host-` only from this very host, and by HTTPS only. */
const nameOf = ({ isSecure }: Pick<Exchange, "isSecure">): string => (isSecure ? "__Host-session" : "session");

/** The cookies of a request that count. */
export function sessionCookies({
  board,
  cookies,
  isSecure,
}: Pick<Exchange, "board" | "cookies" | "isSecure">): SessionCookies {
  const session = cookies[nameOf({ isSecure })];
  if (!board.config.LEGACY_COOKIES) return { session };
  return { session, user_name: unsigned(cookies.user_name, board.secret), password_hash: cookies.password_hash };
}

/** What a CSRF token is bound to: the cookie that authenticates the request. */
function proofOf(exchange: Exchange): string | null {
  const { session, password_hash: hash } = sessionCookies(exchange);
  return [session, hash].find((each): each is string => typeof each === "string" && each !== "") ?? null;
}

/** The session of a browser, whose cookies are set on the exchange's response. */
export class CookieSession implements BrowserSession {
  private proof: string | null;

  /** @param isLegacy whether signing in also sets the cookies of the REST interface, if LEGACY_COOKIES allows */
  constructor(
    private readonly exchange: Exchange,
    private readonly isLegacy: boolean,
  ) {
    this.proof = proofOf(exchange);
  }

  get isUsed(): boolean {
    return reliesOnCookies(this.exchange.viewer);
  }

  start({ viewer, token, passwordHash }: BegunSession): string {
    const { exchange } = this;
    const { config, secret } = exchange.board;
    exchange.headers["Cache-Control"] = "no-store";
    this.set(nameOf(exchange), token, SESSION_AGE);
    if (this.isLegacy && config.LEGACY_COOKIES) {
      this.set("user_name", SIGNED + sign(viewer.name, secret), LEGACY_AGE);
      this.set("password_hash", passwordHash, LEGACY_AGE);
    } else if (/\b(user_name|password_hash)=/.test(exchange.request.headers.cookie ?? "")) this.clearLegacyCookies();
    this.proof = token;
    this.exchange.viewer = viewer;
    return csrfToken(secret, token);
  }

  end(): void {
    this.remove(nameOf(this.exchange));
    this.clearLegacyCookies();
    this.exchange.viewer = ANONYMOUS;
  }

  csrfToken(): string | null {
    return this.isUsed && this.proof !== null ? csrfToken(this.exchange.board.secret, this.proof) : null;
  }

  requireSameSite(): void {
    requireSameSite(this.exchange, this.exchange.viewer);
  }

  /** For operations that don't use cookies, and for some reads: refuses requests that a browser reports as another site's. */
  refuseForeignPage(): void {
    const { exchange } = this;
    const site = exchange.header("sec-fetch-site");
    const says = site !== undefined || exchange.header("origin") !== undefined;
    const isOwn = site ? site === "same-origin" || site === "none" : isOwnOrigin(exchange);
    if (says && !isOwn) throw failure("cross_site");
  }

  /** @param age in milliseconds */
  private set(name: string, value: string, age: number): void {
    this.add(name, value, { maxAge: Math.floor(age / 1000), expires: new Date(Date.now() + age) });
  }

  private remove(name: string): void {
    this.add(name, "", { expires: new Date(1) });
  }

  private add(name: string, value: string, life: { maxAge?: number; expires: Date }): void {
    const { headers, isSecure } = this.exchange;
    const cookie = serialize(name, value, { ...life, httpOnly: true, sameSite: "lax", secure: isSecure, path: "/" });
    headers["Set-Cookie"] = [...[headers["Set-Cookie"] ?? []].flat(), cookie];
  }

  private clearLegacyCookies(): void {
    for (const name of ["user_name", "password_hash"]) this.remove(name);
  }
}

/**
 * A write authenticated by cookies alone must come from a page of this site, which browsers report in `Sec-Fetch-Site` or
 * `Origin`, or contain the token that only such a page can read.
 * @throws BoardError 403
 */
export function requireSameSite(exchange: Exchange, viewer: Viewer): void {
  if (!reliesOnCookies(viewer)) return;
  const proof = proofOf(exchange);
  const token = exchange.header("x-csrf-token");
  if (token && proof !== null && constantTimeEqual(token, csrfToken(exchange.board.secret, proof))) return;
  const site = exchange.header("sec-fetch-site");
  if (site ? site === "same-origin" : isOwnOrigin(exchange)) return;
  throw failure("cross_site");
}

/**
 * Whether the page that a browser names is this site's. One by HTTP is not where the board is served by HTTPS, since others on the network can change
 * it; one by HTTPS always may be, since a proxy may not say that it speaks HTTPS.
 */
export function isOwnOrigin({
  request,
  board,
  host,
  isSecure,
}: Pick<Exchange, "request" | "board" | "host" | "isSecure">): boolean {
  const { origin } = request.headers;
  const { PUBLIC_URL } = board.config;
  if (!origin || !URL.canParse(origin)) return false;
  if (PUBLIC_URL !== undefined && new URL(origin).origin === new URL(PUBLIC_URL).origin) return true;
  return new URL(origin).host === host && !(isSecure && origin.startsWith("http:"));
}

const SIGNED = "s:";

/** A value with a valid signature of ours; undefined for any other. */
function unsigned(value: string | undefined, secret: string): string | undefined {
  if (!value?.startsWith(SIGNED)) return undefined;
  return unsign(value.slice(SIGNED.length), secret) || undefined;
}
