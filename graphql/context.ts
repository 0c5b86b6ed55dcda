/** What resolvers get: the request, the board's services, the request's loaders, and the session's two verbs. */
import type { Board } from "../src/board.js";
import type { RequestContext } from "../src/context.js";
import type { Loaders } from "./loaders.js";

export interface GraphQLContext extends RequestContext {
  readonly board: Board;
  readonly loaders: Loaders;
  /** sets and clears the session cookies of the answer, and makes the token that cookie writes may send */
  readonly session: {
    start(name: string, passwordHash: string): void;
    end(): void;
    csrfToken(passwordHash: string): string;
  };
}
