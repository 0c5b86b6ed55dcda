/** Who listens on a connection, and what each of its subscriptions is resolved with. */
import { randomUUID } from "node:crypto";
import type { SubscriptionContext } from "../../graphql/context.js";
import { createLoaders } from "../../graphql/loaders.js";
import type { Credentials } from "../auth/credentials.js";
import type { Viewer } from "../auth/viewer.js";
import type { Board } from "../board.js";

export interface Listener {
  /** what the connection was opened with; null for visitors */
  credentials: Credentials | null;
  /** who that was, then */
  viewer: Viewer;
  address: string;
  /** the host that the connection was opened to, for the addresses of files */
  host: string | undefined;
  /** ends the connection and with it all its subscriptions */
  close(): void;
}

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
    baseUrl: board.config.PUBLIC_URL ?? `http://${listener.host ?? "localhost"}`,
    log: board.log,
    board,
    charge: () => Promise.resolve(), // counted when it began
    session: { start: () => undefined, end: () => undefined, csrfToken: () => "", refuseForeignPage: () => undefined },
    async renew() {
      const now = await board.authenticator.renew(listener.credentials);
      if (!now) {
        listener.close();
        return false;
      }
      viewer = now;
      loaders = createLoaders(board, now);
      return true;
    },
  };
}
