/** What resolvers get: the request, the board's services, the request's loaders, and the session's two verbs. */
import type { Board } from "../src/board.js";
import type { RequestContext } from "../src/context.js";
import type { Loaders } from "./loaders.js";

/** What suffices for reads that go past GraphQL. */
export interface DirectContext extends RequestContext {
  readonly board: Board;
}

/** What a read past GraphQL finds. */
export interface DirectAnswer {
  /** what the value is made of: of the same source the same value is made, for one viewer and base URL. Absent when nobody has one */
  source?: string;
  value(): Promise<object | null>;
}

export interface GraphQLContext extends DirectContext {
  readonly loaders: Loaders;
  /** Counts so many further requests towards the viewer's hourly limit. @throws BoardError 421, and none is counted then */
  charge(requests: number): Promise<void>;
  /** sets and clears the session cookies of the answer, and makes the token that cookie writes may send */
  readonly session: {
    start(name: string, passwordHash: string): void;
    end(): void;
    csrfToken(passwordHash: string): string;
    /** Refuses what says that it comes from a page of another site. @throws BoardError 403 */
    refuseForeignPage(): void;
  };
}

/** What subscriptions get: they go on for longer than rights do. */
export interface SubscriptionContext extends GraphQLContext {
  /**
   * Asks again who the viewer is, and forgets all that was loaded; before each event.
   * @returns false when the credentials no longer prove anything; then the connection is closed
   */
  renew(): Promise<boolean>;
}
