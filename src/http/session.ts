/**
 * How browsers are signed in: the cookie of a session, which has its random token, and beside it, where LEGACY_COOKIES says
 * so, those of the REST interface: `user_name`, signed, and `password_hash`, the API key. Which requests may rely on them.
 */
import type { CookieOptions, Request, Response } from "express";
import type { BegunSession, BrowserSession } from "../../graphql/context.js";
import type { SessionCookies } from "../runtime/auth/credentials.js";
import { constantTimeEqual } from "../runtime/auth/password.js";
import { csrfToken } from "../runtime/auth/secret.js";
import { ANONYMOUS, reliesOnCookies, type Viewer } from "../runtime/auth/viewer.js";
import type { Config } from "../config.js";
import { failure } from "../errors.js";

const DAY = 24 * 3600 * 1000;
/** As long as browsers keep a cookie. The board forgets a session that was not used for 30 days. */
const SESSION_AGE = 400 * DAY;
const LEGACY_AGE = 20 * 365 * DAY;

/** What of the board has to do with cookies. */
export interface CookieSettings {
  secret: string;
  config: Config;
}

/** Who sends the request, by now. */
export interface Asker {
  readonly viewer: Viewer;
  /** What follows in the request is done as this viewer. */
  become(viewer: Viewer): void;
}

const isSecure = (request: Request, { PUBLIC_URL }: Config): boolean =>
  request.secure || PUBLIC_URL?.startsWith("https:") === true;

/** Browsers take a name with `__Host-` from nobody but this very host, and by HTTPS only. */
const nameOf = (request: Request, config: Config): string => (isSecure(request, config) ? "__Host-session" : "session");

const optionsOf = (request: Request, config: Config): CookieOptions => ({
  httpOnly: true,
  sameSite: "lax",
  secure: isSecure(request, config),
  path: "/",
});

/** The cookies that are believed, of those that a request brings. */
export function sessionCookies(request: Request, config: Config): SessionCookies {
  const cookies = request.cookies as Record<string, unknown> | undefined;
  const session = cookies?.[nameOf(request, config)];
  if (!config.LEGACY_COOKIES) return { session };
  const signed = request.signedCookies as Record<string, unknown> | undefined;
  return { session, user_name: signed?.user_name, password_hash: cookies?.password_hash };
}

/** What a CSRF token is bound to: the cookie that proves who sends the request. */
function proofOf(request: Request, config: Config): string | null {
  const { session, password_hash: hash } = sessionCookies(request, config);
  return [session, hash].find((each): each is string => typeof each === "string" && each !== "") ?? null;
}

/** @param isLegacy whether signing in sets the cookies of the REST interface too, where LEGACY_COOKIES says so */
export function sessionOf(
  request: Request,
  response: Response,
  settings: CookieSettings,
  asker: Asker,
  isLegacy: boolean,
): BrowserSession {
  const { secret, config } = settings;
  const options = optionsOf(request, config);
  let proof = proofOf(request, config);
  return {
    get isUsed() {
      return reliesOnCookies(asker.viewer);
    },
    start({ viewer, token, passwordHash }: BegunSession): string {
      response.set("Cache-Control", "no-store");
      response.cookie(nameOf(request, config), token, { ...options, maxAge: SESSION_AGE });
      if (isLegacy && config.LEGACY_COOKIES) {
        response.cookie("user_name", viewer.name, { ...options, signed: true, maxAge: LEGACY_AGE });
        response.cookie("password_hash", passwordHash, { ...options, maxAge: LEGACY_AGE });
      } else if (hasLegacyCookies(request)) clearLegacyCookies(response, options);
      proof = token;
      asker.become(viewer);
      return csrfToken(secret, token);
    },
    end(): void {
      response.clearCookie(nameOf(request, config), options);
      clearLegacyCookies(response, options);
      proof = null;
      asker.become(ANONYMOUS);
    },
    csrfToken: () => (reliesOnCookies(asker.viewer) && proof !== null ? csrfToken(secret, proof) : null),
    requireSameSite: () => requireSameSite(request, asker.viewer, settings),
    refuseForeignPage: () => refuseForeignPage(request, config.PUBLIC_URL),
  };
}

const hasLegacyCookies = ({ headers }: Request): boolean => /\b(user_name|password_hash)=/.test(headers.cookie ?? "");

function clearLegacyCookies(response: Response, options: CookieOptions): void {
  response.clearCookie("user_name", options);
  response.clearCookie("password_hash", options);
}

/**
 * A write that relies on the cookies alone must come from a page of this site, which browsers say in `Sec-Fetch-Site` or
 * `Origin`, or bring the token that only such a page can read.
 * @throws BoardError 403
 */
export function requireSameSite(request: Request, viewer: Viewer, { secret, config }: CookieSettings): void {
  if (!reliesOnCookies(viewer)) return;
  const proof = proofOf(request, config);
  const token = request.get("x-csrf-token");
  if (token && proof !== null && constantTimeEqual(token, csrfToken(secret, proof))) return;
  const site = request.get("sec-fetch-site");
  if (site ? site === "same-origin" : isOwnOrigin(request, config.PUBLIC_URL)) return;
  throw failure("cross_site");
}

/**
 * What any page may send, but no page of another site where it says that it is one: what asks for no cookies, and reads.
 * @throws BoardError 403
 */
function refuseForeignPage(request: Request, publicUrl: string | undefined): void {
  const site = request.get("sec-fetch-site");
  const says = site !== undefined || request.get("origin") !== undefined;
  const isOwn = site ? site === "same-origin" || site === "none" : isOwnOrigin(request, publicUrl);
  if (says && !isOwn) throw failure("cross_site");
}

function isOwnOrigin(request: Request, publicUrl: string | undefined): boolean {
  const origin = request.get("origin");
  if (!origin || !URL.canParse(origin)) return false;
  if (publicUrl !== undefined && new URL(origin).origin === new URL(publicUrl).origin) return true;
  return new URL(origin).host === request.host;
}
