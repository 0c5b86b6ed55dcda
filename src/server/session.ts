/** The session's cookies: `user_name`, signed, and `password_hash`, the bcrypted hash, by which clients know that they are in. */
import type { CookieOptions, Request, Response } from "express";
import { csrfToken } from "../auth/secret.js";
import { constantTimeEqual } from "../auth/password.js";
import { failure } from "../errors.js";
import type { Viewer } from "../auth/viewer.js";

const TWENTY_YEARS = 20 * 365 * 24 * 3600 * 1000;

const options = (request: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: "lax",
  secure: request.secure,
  path: "/",
});

export const sessionOf = (request: Request, response: Response, secret: string, publicUrl?: string) => ({
  /** @throws BoardError 403 for a page of another site, which would sign its reader in as somebody else */
  start(name: string, passwordHash: string): void {
    refuseForeignPage(request, publicUrl);
    response.cookie("user_name", name, { ...options(request), signed: true, maxAge: TWENTY_YEARS });
    response.cookie("password_hash", passwordHash, { ...options(request), maxAge: TWENTY_YEARS });
  },
  end(): void {
    response.clearCookie("user_name", options(request));
    response.clearCookie("password_hash", options(request));
  },
  csrfToken: (passwordHash: string): string => csrfToken(secret, passwordHash),
  refuseForeignPage: (): void => refuseForeignPage(request, publicUrl),
});

export const sessionCookies = (request: Request) => ({
  user_name: (request.signedCookies as Record<string, unknown> | undefined)?.user_name,
  password_hash: (request.cookies as Record<string, unknown> | undefined)?.password_hash,
});

/**
 * A write that relies on the cookies alone must come from a page of this site, which browsers say in `Sec-Fetch-Site` or
 * `Origin`, or bring the token that only such a page can read.
 * @throws BoardError 403
 */
export function requireSameSite(request: Request, viewer: Viewer, secret: string, publicUrl?: string): void {
  if (viewer.proof !== "cookie" || /^(GET|HEAD|OPTIONS)$/.test(request.method)) return;
  const hash = sessionCookies(request).password_hash;
  const token = request.get("x-csrf-token");
  if (token && typeof hash === "string" && constantTimeEqual(token, csrfToken(secret, hash))) return;
  const site = request.get("sec-fetch-site");
  if (site ? site === "same-origin" : isOwnOrigin(request, publicUrl)) return;
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
