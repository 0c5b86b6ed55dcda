/** The viewer of a subscription connection, and the context of each of its subscriptions. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "cookie";
import type { BrowserSession, SubscriptionContext } from "../../graphql/context.js";
import { createLoaders } from "../../graphql/loaders.js";
import { type Caller, type Credentials, findCredentials } from "../runtime/auth/credentials.js";
import { ANONYMOUS, type Viewer } from "../runtime/auth/viewer.js";
import type { Board } from "../board.js";
import { currentScope } from "../database/request-scope.js";
import type { Budget } from "../lib/budget.js";
import { failure } from "../errors.js";
import { isOwnOrigin, sessionCookies } from "./session.js";
import type { Exchange } from "./exchange.js";
import { limitStatements, requireAllowance } from "./admission.js";

/** The cost of an event itself: the viewer and the record are looked up. */
const EVENT_POINTS = 5;

export interface Listener extends Caller {
  /** the credentials of the connection; null for visitors */
  credentials: Credentials | null;
  /** the viewer last authenticated by them */
  viewer: Viewer;
  /** the points that its address may spend on events */
  budget: Budget;
  /** scheme and host of URLs in its responses */
  baseUrl: string;
  /** closes the connection and all its subscriptions, since its user may no longer subscribe */
  close(): void;
  /** closes it, since it reads more slowly than events are sent */
  fellBehind(): void;
}

/**
 * The current viewer of a connection's credentials: a ban, another level, another password or a closed account
 * takes effect at once, also for the statements that follow. If the credentials are no longer valid, the connection is closed.
 */
export async function renewed(board: Board, listener: Listener): Promise<Viewer | null> {
  const viewer = await board.authenticator.renew(listener.credentials, listener);
  if (!viewer) {
    listener.close();
    return null;
  }
  listener.viewer = viewer;
  const scope = currentScope();
  if (scope) limitStatements(scope, board.config, viewer, listener.address);
  return viewer;
}

/** There is no response on which cookies could be set. */
const NO_SESSION: BrowserSession = {
  isUsed: false,
  start: () => "",
  end: () => undefined,
  csrfToken: () => null,
  requireSameSite: () => undefined,
  refuseForeignPage: () => undefined,
};

/**
 * The context of one subscription. Its viewer is the one of the last `renew`, so that a right ends when it is revoked.
 * @param points cost of an event's response
 */
export function listeningContext(board: Board, listener: Listener, points: number): SubscriptionContext {
  let { viewer } = listener;
  let loaders = createLoaders(board, viewer);
  return {
    requestId: randomUUID(),
    get viewer() {
      return viewer;
    },
    get loaders() {
      return loaders;
    },
    address: listener.address,
    userAgent: listener.userAgent,
    baseUrl: listener.baseUrl,
    log: board.log,
    board,
    charge: () => Promise.resolve(), // counted when it began
    doNotStore: () => undefined,
    session: NO_SESSION,
    fellBehind: () => listener.fellBehind(),
    async renew() {
      const wait = listener.budget.owe(EVENT_POINTS + points);
      if (wait > 0) await sleep(wait, undefined, { ref: false });
      const now = await renewed(board, listener);
      if (!now) return false;
      viewer = now;
      loaders = createLoaders(board, now);
      return true;
    },
  };
}

/** A handshake without its parameters, and its client. */
type Handshake = Pick<Exchange, "request" | "isSecure" | "host"> & Caller;

/**
 * Credentials are the connection parameters (`authorization`, in any case, or `login` with `api_key`), the
 * header, or the cookies, which count only for a page of this site. Wrong ones count as an anonymous request, as over HTTP.
 * @throws BoardError 403, 421
 */
export async function authenticateSocket(
  board: Board,
  handshake: Handshake,
  params: Record<string, unknown>,
): Promise<Pick<Listener, "credentials" | "viewer">> {
  const { headers } = handshake.request;
  const authorization = authorizationOf(params) ?? headers.authorization;
  const given = { board, ...handshake, cookies: parse(headers.cookie ?? "") };
  const cookies = isOwnOrigin(given) ? sessionCookies(given) : {};
  const credentials = findCredentials({ authorization, params, cookies });
  const viewer = await board.authenticator.authenticate(credentials, handshake).catch(async (error: unknown) => {
    await board.limiter.request(ANONYMOUS, handshake.address);
    throw error;
  });
  requireAllowance(await board.limiter.request(viewer, handshake.address));
  if (board.config.REQUIRE_LOGIN && viewer.id === null) throw failure("login_required");
  return { viewer, credentials: viewer.id === null ? null : credentials };
}

/** Header names are case-insensitive, and clients write the parameter like the header. */
function authorizationOf(params: Record<string, unknown>): string | undefined {
  const [, value] = Object.entries(params).find(([name]) => name.toLowerCase() === "authorization") ?? [];
  return typeof value === "string" ? value : undefined;
}
