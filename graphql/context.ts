/** The context of resolvers: the request, the board's services, the request's loaders, and the browser's session. */
import type { Viewer } from "../src/runtime/auth/viewer.js";
import type { Board } from "../src/board.js";
import type { RequestContext } from "../src/context.js";
import type { HeavyWork } from "../src/runtime/limits/heavy-lane.js";
import type { Loaders } from "./loaders.js";

export interface GraphQLContext extends RequestContext {
  readonly board: Board;
  readonly loaders: Loaders;
  /**
   * Counts the operation as several requests towards the viewer's hourly limit and, over HTTP, towards the address's concurrent ones.
   * One was counted when the request arrived. Zero is for suggestions, which have a limit of their own.
   * @throws BoardError 421, and none is counted then; 503
   */
  charge(requests: number): Promise<void>;
  /** whether the operation was priced by the lengths of its lists, which they may not exceed */
  readonly isPriced?: boolean;
  /** Marks the response as not to be stored, since it contains a secret. */
  doNotStore(): void;
  readonly session: BrowserSession;
  /** work of the request that blocks the event loop for long; only over HTTP */
  readonly heavy?: HeavyWork;
}

export interface BegunSession {
  viewer: Viewer;
  token: string;
  /** the API key, for the REST interface's cookies */
  passwordHash: string;
}

/** The session cookies of a request. */
export interface BrowserSession {
  /** whether the viewer was authenticated by the cookies */
  readonly isUsed: boolean;
  /**
   * Sets the cookies. The rest of the request runs as the viewer who has signed in.
   * @returns the session's CSRF token
   */
  start(begun: BegunSession): string;
  /** Clears the cookies. The rest of the request runs as a visitor. */
  end(): void;
  /** The token that pages send with writes; null if the viewer was not authenticated by the cookies. */
  csrfToken(): string | null;
  /** Refuses a write that is authenticated by cookies and may come from a page of another site. @throws BoardError 403 */
  requireSameSite(): void;
  /** Refuses requests whose headers name another site. @throws BoardError 403 */
  refuseForeignPage(): void;
}

export interface SubscriptionContext extends GraphQLContext {
  /**
   * Authenticates again and clears the loaders; called before each event.
   * @returns false if the credentials are no longer valid; the connection is closed then
   */
  renew(): Promise<boolean>;
  /** Closes the connection because too many events are waiting for it. */
  fellBehind(): void;
}
