/** Queries read from replicas, if there are any; mutations record the log position of their writes. */
import type { ApolloServerPlugin, GraphQLRequestListener } from "@apollo/server";
import { OperationTypeNode } from "graphql";
import type { GraphQLContext } from "../context.js";

/** Awaited before the first resolver, and before the response. */
const listener: GraphQLRequestListener<GraphQLContext> = {
  async didResolveOperation({ operation, contextValue }) {
    if (operation?.operation === OperationTypeNode.QUERY) await contextValue.board.replicas?.choose(contextValue);
  },
  async willSendResponse({ operation, contextValue }) {
    if (operation?.operation === OperationTypeNode.MUTATION) await contextValue.board.replicas?.wrote(contextValue);
  },
};

export const servedByReplicas: ApolloServerPlugin<GraphQLContext> = {
  requestDidStart: ({ contextValue }) => Promise.resolve(contextValue.board.replicas ? listener : undefined),
};
