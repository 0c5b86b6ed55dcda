/** Who listens on a connection, and what each of its subscriptions is resolved with. */
import { randomUUID } from "node:crypto";
import type { BrowserSession, SubscriptionContext } from "../../graphql/context.js";
import { createLoaders } from "../../graphql/loaders.js";
import type { Caller, Credentials } from "../runtime/auth/credentials.js";
import type { Viewer } from "../runtime/auth/viewer.js";
import type { Board } from "../board.js";

export interface Listener extends Caller {
  /** what the connection was opened with; null for visitors */
  credentials: Credentials | null;
  /** whom they proved last */
  viewer: Viewer;
  /** the host that the connection was opened to, for the addresses of files */
  host: string | undefined;
  /** ends the connection and with it all its subscriptions, since who opened it may no longer listen */
  close(): void;
  /** ends it, since it reads more slowly than it is written to */
  fellBehind(): void;
}

/**
 * The viewer whom a connection's credentials prove now: a ban, another level, another password or the end of the account
 * holds at once. Where they prove nothing any more the connection is closed.
 */
export async function renewed(board: Board, listener: Listener): Promise<Viewer | null> {
  const viewer = await board.authenticator.renew(listener.credentials, listener);
  if (viewer) listener.viewer = viewer;
  else listener.close();
  return viewer;
}

/** There are no answers to set cookies with, and nothing is written. */
const NO_SESSION: BrowserSession = {
  isUsed: false,
  start: () => "",
  end: () => undefined,
  csrfToken: () => null,
  requireSameSite: () => undefined,
  refuseForeignPage: () => undefined,
};

/** The context of one subscription. Its viewer is the one of the last `renew`, so that a right ends when it is taken. */
export function listeningContext(board: Board, listener: Listener): SubscriptionContext {
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
    baseUrl: board.config.PUBLIC_URL ?? `http://${listener.host ?? "localhost"}`,
    log: board.log,
    board,
    charge: () => Promise.resolve(), // counted when it began
    doNotStore: () => undefined,
    session: NO_SESSION,
    fellBehind: () => listener.fellBehind(),
    async renew() {
      const now = await renewed(board, listener);
      if (!now) return false;
      viewer = now;
      loaders = createLoaders(board, now);
      return true;
    },
  };
}
