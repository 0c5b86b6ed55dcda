/** The viewer of a request and their limits: authentication, the hourly limit and its headers. */
import { type Params, parseBrackets } from "../../rest/adapter/params.js";
import type { Config } from "../config.js";
import type { RequestScope } from "../database/request-scope.js";
import { andThen, type MaybePromise } from "../lib/maybe-promise.js";
import { ANONYMOUS, isSignedIn, type Viewer } from "../runtime/auth/viewer.js";
import { contentTypeOf, hasBody } from "./body.js";
import type { Answer, Exchange, Headers, Step } from "./exchange.js";
import { requireSameSite, sessionCookies } from "./session.js";
import { type Credentials, findCredentials } from "../runtime/auth/credentials.js";
import { failure } from "../errors.js";
import { type Allowance, clientKey, statementDeadline } from "../runtime/limits/limiter.js";

/** Types of bodies that contain parameters. */
const WITH_PARAMETERS = /^(?:|application\/x-www-form-urlencoded|multipart\/form-data|application\/json|.*\+json)$/;

export const hasParameters = ({ request }: Exchange): boolean =>
  hasBody(request) && WITH_PARAMETERS.test(contentTypeOf(request));

/** The parameters of the URL. A request with an invalid URL is counted as well. @throws BoardError 403, 421, 424 */
export function urlParams(exchange: Exchange): MaybePromise<Params> {
  const { query } = exchange;
  if (query === null) return {};
  try {
    return parseBrackets(query);
  } catch (unreadable) {
    return andThen(admit(exchange, {}), () => {
      throw unreadable;
    });
  }
}

/**
 * Authenticates and counts a REST request before its body is processed. Header, query and cookies are checked
 * before a byte of the body is read. If they contain no credentials, the body may contain `login` with `api_key` or
 * `password_hash`: it is read only if the address has requests left, and the request is counted once its sender is known (`settle`).
 */
export const admitByHead: Step = (exchange, next) =>
  andThen(urlParams(exchange), (url) => {
    exchange.params = url;
    return andThen(authenticate(exchange, url), (viewer) => {
      const isOpen = !isSignedIn(viewer) && hasParameters(exchange);
      const admitting = isOpen ? requireRequestsLeft(exchange) : (exchange.settled = counted(exchange, viewer));
      return andThen<unknown, Answer>(admitting, next);
    });
  });

/**
 * The viewer of a REST request, which is then counted, unless it was by its head.
 * @param params those of the query, and those of the body read so far
 * @throws BoardError 403, 421
 */
export const settle = (exchange: Exchange, params: Params): MaybePromise<Viewer> =>
  (exchange.settled ??= andThen(authenticate(exchange, params), (viewer) => counted(exchange, viewer)));

/** A request authenticated by cookies alone must come from this site. By its original method: the body may override it. */
function counted(exchange: Exchange, viewer: Viewer): MaybePromise<Viewer> {
  const { method } = exchange.request;
  return andThen(admitted(exchange, viewer), () => {
    if (method !== "GET" && method !== "HEAD") requireSameSite(exchange, viewer);
    return viewer;
  });
}

/** Authenticates a request and counts it. @param params which may contain credentials @throws BoardError 403, 421 */
export const admit = (exchange: Exchange, params: Record<string, unknown>): MaybePromise<Viewer> =>
  andThen(authenticate(exchange, params), (viewer) => admitted(exchange, viewer));

/** Limits the statements of a scope, in number and time, to what its viewer may have. */
export function limitStatements(scope: RequestScope, config: Config, viewer: Viewer, address: string): void {
  scope.client = clientKey(viewer, address);
  scope.deadline = statementDeadline(config, viewer.level);
}

/** Counts a request of a known viewer. @throws BoardError 421 */
function admitted(exchange: Exchange, viewer: Viewer): MaybePromise<Viewer> {
  const { board, scope, address, headers } = exchange;
  limitStatements(scope, board.config, viewer, address);
  return andThen(count(exchange, viewer), () => {
    // responses differ by viewer, and are revalidated each time (by their ETag)
    headers["Cache-Control"] = isSignedIn(viewer) ? "private, no-cache" : "no-cache";
    exchange.vary = "Authorization, Cookie";
    return viewer;
  });
}

/** The viewer; without a promise for a visitor. Wrong credentials count as an anonymous request, so that guessing is limited too. */
function authenticate(exchange: Exchange, params: Record<string, unknown>): MaybePromise<Viewer> {
  const { authorization } = exchange.request.headers;
  const credentials = findCredentials({ authorization, params, cookies: sessionCookies(exchange) });
  exchange.credentials = credentials;
  return credentials === null ? ANONYMOUS : prove(exchange, credentials);
}

/** Milliseconds from the head of a request after which its viewer may have changed. */
const LATE_MS = 1_000;

/** The viewer of a request that is about to run, as of now if it has waited: for its body or its turn. @throws BoardError 403 */
export function currentViewer(exchange: Exchange, viewer: Viewer): MaybePromise<Viewer> {
  const { board, credentials, caller, startedAt } = exchange;
  if (!isSignedIn(viewer) || performance.now() - startedAt < LATE_MS) return viewer;
  return board.authenticator.renew(credentials, caller).then((current) => {
    if (!current) throw failure("authentication_failed");
    return current;
  });
}

async function prove(exchange: Exchange, credentials: Credentials): Promise<Viewer> {
  try {
    return await exchange.board.authenticator.authenticate(credentials, exchange.caller);
  } catch (error) {
    await count(exchange, ANONYMOUS);
    throw error;
  }
}

/** Counts several requests of the viewer. @throws BoardError 421 if fewer are left; then none is counted */
export function count(exchange: Exchange, viewer: Viewer, requests = 1): MaybePromise<void> {
  const { board, address, headers } = exchange;
  return andThen(board.limiter.request(viewer, address, requests), (allowance) => {
    setAllowance(headers, allowance);
    return requireRequests(exchange, allowance, viewer, requests);
  });
}

/** Paths for signing in, which an address without anonymous requests left still may: an account has its own. */
const SIGN_IN = /^\/(?:login|session(?:\.(?:json|xml))?|graphql\/session)$/;

/** @throws BoardError 421 for too many requests, unless they are a visitor's for signing in */
function requireRequests(
  { board, path, address }: Exchange,
  allowance: Allowance,
  viewer = ANONYMOUS,
  requests = 1,
): MaybePromise<void> {
  const isSignIn = allowance.exceeded && !isSignedIn(viewer) && SIGN_IN.test(path);
  return andThen(isSignIn ? board.limiter.signIn(address, requests) : allowance, requireAllowance);
}

/** Counts a request that was already counted as one for suggestions instead; once, also if the operation is retried. @throws BoardError 421 */
export async function countSuggestion(exchange: Exchange): Promise<void> {
  if (exchange.isSuggesting) return;
  const { board, viewer, address, headers } = exchange;
  setAllowance(headers, await board.limiter.suggestion(viewer, address));
  exchange.isSuggesting = true;
}

/** Counts only requests for signing in. @throws BoardError 421 for an address that has no anonymous requests left */
async function requireRequestsLeft(exchange: Exchange): Promise<void> {
  const allowance = await exchange.board.limiter.allowance(ANONYMOUS, exchange.address);
  if (!allowance.exceeded) return;
  setAllowance(exchange.headers, allowance);
  await requireRequests(exchange, allowance);
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
