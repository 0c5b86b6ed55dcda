/** Who sends a request and how much they may still ask: authentication, the hourly limit and its headers. */
import type { Request, Response } from "express";
import ipaddr from "ipaddr.js";
import { type Caller, findCredentials } from "../runtime/auth/credentials.js";
import { ANONYMOUS, isSignedIn, type Viewer } from "../runtime/auth/viewer.js";
import type { Board } from "../board.js";
import { limitStatements } from "../database/statements.js";
import { failure } from "../errors.js";
import { statementDeadline } from "../runtime/limits/deadline.js";
import { type Allowance, clientKey } from "../runtime/limits/limiter.js";
import { sessionCookies } from "./session.js";

/** The client's address, IPv4 in its own form. */
export function addressOf(request: Request): string {
  const address = request.ip ?? request.socket.remoteAddress ?? "0.0.0.0";
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : "0.0.0.0";
}

export const callerOf = (request: Request): Caller => ({
  address: addressOf(request),
  userAgent: request.headers["user-agent"],
});

/**
 * The viewer of a request, after the request is counted.
 * @param params where credentials may be
 * @throws BoardError 403, 421
 */
export async function admit(
  board: Board,
  request: Request,
  response: Response,
  params: Record<string, unknown>,
): Promise<Viewer> {
  return admitted(board, request, response, await authenticate(board, request, response, params));
}

/** Counts a request whose viewer is known. @throws BoardError 421 */
export async function admitted(board: Board, request: Request, response: Response, viewer: Viewer): Promise<Viewer> {
  const address = addressOf(request);
  limitStatements(clientKey(viewer, address), statementDeadline(board.config, viewer.level));
  await count(board, response, viewer, address);
  // What one viewer is shown is not for another, and is asked for again each time (by its ETag).
  response.set("Cache-Control", isSignedIn(viewer) ? "private, no-cache" : "no-cache");
  response.vary(VARY);
  return viewer;
}

/** Wrong credentials count as an anonymous request, so that guessing has a limit too. */
export async function authenticate(
  board: Board,
  request: Request,
  response: Response,
  params: Record<string, unknown>,
): Promise<Viewer> {
  const { authorization } = request.headers;
  const credentials = findCredentials({ authorization, params, cookies: sessionCookies(request, board.config) });
  const caller = callerOf(request);
  try {
    return await board.authenticator.authenticate(credentials, caller);
  } catch (error) {
    await count(board, response, ANONYMOUS, caller.address);
    throw error;
  }
}

async function count(board: Board, response: Response, viewer: Viewer, address: string, requests = 1): Promise<void> {
  const allowance = await board.limiter.request(viewer, address, requests);
  response.set(allowanceHeaders(allowance));
  if (allowance.exceeded) response.set("Retry-After", String(allowance.reset));
  requireAllowance(allowance);
}

/** Counts nothing. @throws BoardError 421 for an address that has no requests left as a visitor's */
export async function requireRequestsLeft(board: Board, request: Request, response: Response): Promise<void> {
  const allowance = await board.limiter.allowance(ANONYMOUS, addressOf(request));
  if (!allowance.exceeded) return;
  response.set(allowanceHeaders(allowance));
  requireAllowance(allowance);
}

/** @throws BoardError 421 for who has asked too often */
export function requireAllowance({ exceeded, isOfAddress, limit, reset }: Allowance): void {
  if (exceeded) throw failure(isOfAddress ? "address_limit" : "hourly_limit", { limit }, { retryAfter: reset });
}

/**
 * Counts further requests, for which one that costs much stands.
 * @throws BoardError 421 when so many are not left; then none is counted
 */
export async function charge(
  board: Board,
  response: Response,
  { viewer, address }: { viewer: Viewer; address: string },
  requests: number,
): Promise<void> {
  if (requests > 0) await count(board, response, viewer, address, requests);
}

/** What a client is told of how much it may still ask. */
export const allowanceHeaders = ({ limit, remaining, reset }: Allowance): Record<string, string> => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(Math.ceil(Date.now() / 1000) + reset),
  "X-Api-Limit": String(remaining),
});

/** What an answer depends on. */
export const VARY = "Authorization, Cookie";

/** What visitors may do even with `REQUIRE_LOGIN`: what the fields may that are `@Public({ beforeLogin: true })`. */
const OPEN_TO_VISITORS = /^(POST \/users(\/recover)?|(POST|DELETE) \/session)(\.\w+)?$/;

/** With `REQUIRE_LOGIN`, REST answers nothing to visitors but signing up, in and out. @throws BoardError 403 */
export function requireLogin(board: Board, viewer: Viewer, method: string, path: string): void {
  if (!board.config.REQUIRE_LOGIN || isSignedIn(viewer)) return;
  if (!OPEN_TO_VISITORS.test(`${method} ${path}`)) throw failure("login_required");
}
