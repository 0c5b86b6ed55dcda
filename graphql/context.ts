/** What resolvers get: the request, the board's services, the request's loaders, and the browser's session. */
import type { Viewer } from "../src/runtime/auth/viewer.js";
import type { Board } from "../src/board.js";
import type { RequestContext } from "../src/context.js";
import type { HeavyWork } from "../src/runtime/limits/heavy-lane.js";
import type { Loaders } from "./loaders.js";

export interface GraphQLContext extends RequestContext {
  readonly board: Board;
  readonly loaders: Loaders;
  /**
   * Counts the request as so many towards the viewer's hourly limit, the first of which was counted when it came, and as none where it is
   * for suggestions, which have a limit of their own; over HTTP, as so many of those that the address may have at work.
   * @throws BoardError 421, and none is counted then; 503
   */
  charge(requests: number): Promise<void>;
  /** Has nobody keep the answer: it shows a secret. */
  doNotStore(): void;
  readonly session: BrowserSession;
  /** what of the request holds the event loop for long, which waits for its turn; over HTTP */
  readonly heavy?: HeavyWork;
}

/** A session that has begun. */
export interface BegunSession {
  viewer: Viewer;
  token: string;
  /** the API key, which the REST interface's cookies carry */
  passwordHash: string;
}

/** What the browser that sends a request is signed in by. */
export interface BrowserSession {
  /** whether the viewer is who the cookies say */
  readonly isUsed: boolean;
  /**
   * Sets the cookies. What follows in the request is done as the viewer who is signed in by now.
   * @returns the session's CSRF token
   */
  start(begun: BegunSession): string;
  /** Clears the cookies; what follows is done as a visitor. */
  end(): void;
  /** What the browser's pages send with writes; null where the viewer is not who the cookies say. */
  csrfToken(): string | null;
  /** Refuses a write of who relies on the cookies and may be a page of another site. @throws BoardError 403 */
  requireSameSite(): void;
  /** Refuses what says that it comes from a page of another site. @throws BoardError 403 */
  refuseForeignPage(): void;
}

/** What subscriptions get: they go on for longer than rights do. */
export interface SubscriptionContext extends GraphQLContext {
  /**
   * Asks again who the viewer is, and forgets all that was loaded; before each event.
   * @returns false when the credentials no longer prove anything; then the connection is closed
   */
  renew(): Promise<boolean>;
  /** Closes the connection: more events wait for it than may. */
  fellBehind(): void;
}
