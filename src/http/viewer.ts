/** The viewer of a request and their limits: authentication, the hourly limit and its headers. */
import { type Credentials, findCredentials } from "../runtime/auth/credentials.js";
import { ANONYMOUS, isSignedIn, type Viewer } from "../runtime/auth/viewer.js";
import { failure } from "../errors.js";
import { andThen, type MaybePromise } from "../lib/maybe-promise.js";
import { statementDeadline } from "../runtime/limits/deadline.js";
import { type Allowance, clientKey } from "../runtime/limits/limiter.js";
import type { Exchange, Headers } from "./exchange.js";
import { sessionCookies } from "./session.js";

/**
 * Authenticates a request and counts it.
 * @param params which may contain credentials
 * @throws BoardError 403, 421
 */
export const admit = (exchange: Exchange, params: Record<string, unknown>): MaybePromise<Viewer> =>
  andThen(authenticate(exchange, params), (viewer) => admitted(exchange, viewer));

/** Counts a request of a known viewer. @throws BoardError 421 */
export function admitted(exchange: Exchange, viewer: Viewer): MaybePromise<Viewer> {
  const { board, scope, address, headers } = exchange;
  scope.client = clientKey(viewer, address);
  scope.deadline = statementDeadline(board.config, viewer.level);
  return andThen(count(exchange, viewer), () => {
    // responses differ by viewer, and are revalidated each time (by their ETag)
    headers["Cache-Control"] = isSignedIn(viewer) ? "private, no-cache" : "no-cache";
    exchange.vary = "Authorization, Cookie";
    return viewer;
  });
}

/** The viewer; without a promise for a visitor. Wrong credentials count as an anonymous request, so that guessing is limited too. */
export function authenticate(exchange: Exchange, params: Record<string, unknown>): MaybePromise<Viewer> {
  const { authorization } = exchange.request.headers;
  const credentials = findCredentials({ authorization, params, cookies: sessionCookies(exchange) });
  return credentials === null ? ANONYMOUS : prove(exchange, credentials);
}

async function prove(exchange: Exchange, credentials: Credentials): Promise<Viewer> {
  try {
    return await exchange.board.authenticator.authenticate(credentials, exchange.caller);
  } catch (error) {
    await count(exchange, ANONYMOUS);
    throw error;
  }
}

/**
 * Counts several requests of the viewer.
 * @throws BoardError 421 if fewer are left; then none is counted
 */
export function count({ board, address, headers }: Exchange, viewer: Viewer, requests = 1): MaybePromise<void> {
  return andThen(board.limiter.request(viewer, address, requests), (allowance) => {
    setAllowance(headers, allowance);
    if (allowance.exceeded) headers["Retry-After"] = String(allowance.reset);
    requireAllowance(allowance);
  });
}

/** Counts a request that was already counted as one for suggestions instead. @throws BoardError 421 */
export async function countSuggestion({ board, address, headers }: Exchange, viewer: Viewer): Promise<void> {
  setAllowance(headers, await board.limiter.suggestion(viewer, address));
}

/** Counts nothing. @throws BoardError 421 for an address that has no anonymous requests left */
export async function requireRequestsLeft({ board, address, headers }: Exchange): Promise<void> {
  const allowance = await board.limiter.allowance(ANONYMOUS, address);
  if (!allowance.exceeded) return;
  setAllowance(headers, allowance);
  requireAllowance(allowance);
}

/** @throws BoardError 421 for too many requests */
export function requireAllowance({ exceeded, isOfAddress, limit, reset }: Allowance): void {
  if (exceeded) throw failure(isOfAddress ? "address_limit" : "hourly_limit", { limit }, { retryAfter: reset });
}

function setAllowance(headers: Headers, { limit, remaining, reset }: Allowance): void {
  headers["X-RateLimit-Limit"] = String(limit);
  headers["X-RateLimit-Remaining"] = String(remaining);
  headers["X-RateLimit-Reset"] = String(Math.ceil(Date.now() / 1000) + reset);
  headers["X-Api-Limit"] = String(remaining);
}
