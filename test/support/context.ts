/** The context of resolvers, for tests that run documents without a request. */
import type { GraphQLContext } from "../../graphql/context.js";
import { createLoaders } from "../../graphql/loaders.js";
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import type { TestBoard } from "./board.js";

/** The context of a request by this viewer, whose session can be neither started nor refused. */
export const contextOf = ({ board }: TestBoard, viewer: Viewer): GraphQLContext => ({
  requestId: "test",
  viewer,
  address: "127.0.0.1",
  baseUrl: "http://board.example",
  log: board.log,
  board,
  loaders: createLoaders(board),
  charge: () => Promise.resolve(),
  doNotStore: () => undefined,
  session: {
    isUsed: false,
    start: () => "token",
    end: () => undefined,
    csrfToken: () => null,
    requireSameSite: () => undefined,
    refuseForeignPage: () => undefined,
  },
});
