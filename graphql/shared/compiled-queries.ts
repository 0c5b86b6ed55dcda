/**
 * Queries whose document came before run compiled (graphql-jit): to compile one takes longer than to run it once. What the
 * compiler refuses, and whatever has errors, is for graphql-js, which tells them; a query changes nothing by being run again.
 */
import type { ApolloServerPlugin, GraphQLRequestContextResponseForOperation } from "@apollo/server";
import { type DocumentNode, type ExecutionResult, type GraphQLSchema, OperationTypeNode } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { LRUCache } from "lru-cache";
import type { GraphQLContext } from "../context.js";

/** Operations that are remembered: each takes some ten kilobytes. */
const MOST_OPERATIONS = 500;

type Asked = GraphQLRequestContextResponseForOperation<GraphQLContext>;
type Run = (root: unknown, context: GraphQLContext, variables: object) => Promise<ExecutionResult> | ExecutionResult;

/** What is known of a document's operation: that it came, and then what it was compiled to; null where it was refused. */
type Known = "came" | Run | null;

function compile(schema: GraphQLSchema, document: DocumentNode, operationName: string | null): Run | null {
  const compiled = compileQuery(schema, document, operationName ?? undefined);
  return isCompiledQuery(compiled) ? compiled.query : null;
}

/** Answers queries that came before. */
export function compiledQueries(): ApolloServerPlugin<GraphQLContext> {
  const known = new LRUCache<string, { is: Known }>({ max: MOST_OPERATIONS });

  const runOf = ({ schema, document, queryHash, operationName }: Asked): Run | null => {
    const key = `${queryHash} ${operationName ?? ""}`;
    const before = known.get(key)?.is;
    if (before === undefined) known.set(key, { is: "came" });
    if (before !== "came") return before ?? null;
    const run = compile(schema, document, operationName);
    known.set(key, { is: run });
    return run;
  };

  const listener = {
    async responseForOperation(asked: Asked) {
      const run = asked.operation.operation === OperationTypeNode.QUERY ? runOf(asked) : null;
      if (!run) return null;
      const { data, errors } = await run(undefined, asked.contextValue, asked.request.variables ?? {});
      if (!data || errors) return null;
      return { http: asked.response.http, body: { kind: "single" as const, singleResult: { data } } };
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
