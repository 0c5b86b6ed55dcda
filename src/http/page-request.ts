/** What the pages need of the server: who asks, by the same admission as every request, and documents run as everybody's are. */
import type { ApolloServer } from "@apollo/server";
import type { GraphQLContext } from "../../graphql/context.js";
import type { PageServer } from "../../web/server/serve.js";
import type { Board } from "../board.js";
import { beginWork } from "./backpressure.js";
import { refused } from "./failures.js";
import { contextOf } from "./request-context.js";
import { admit } from "./viewer.js";

export const pageServer = (board: Board, apollo: ApolloServer<GraphQLContext>): PageServer => ({
  config: board.config,
  async admit(request, response) {
    const viewer = await admit(board, request, response, {});
    await beginWork(request);
    return contextOf(board, request, response, viewer, false);
  },
  async execute(query, variables, contextValue) {
    const { body } = await apollo.executeOperation({ query, variables }, { contextValue });
    return body.kind === "single" ? body.singleResult : { data: null };
  },
  refused: (error, request) => refused(board, error, request),
});
