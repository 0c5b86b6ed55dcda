/**
 * Queries whose document came before run compiled (graphql-jit): to compile one takes longer than to run it once. What the
 * compiler refuses, and whatever has errors, is for graphql-js, which reports them; a query changes nothing by being run again.
 */
import type { ApolloServerPlugin, GraphQLRequestContextResponseForOperation } from "@apollo/server";
import { type DocumentNode, type GraphQLSchema, OperationTypeNode } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { LRUCache } from "lru-cache";
import type { GraphQLContext } from "../context.js";
import { joinPosts } from "../posts/joined-posts.js";
import type { FinishedData } from "./finished-data.js";

/** Operations that are remembered: each takes some ten kilobytes. */
const MOST_OPERATIONS = 500;

type Asked = GraphQLRequestContextResponseForOperation<GraphQLContext>;
type Data = Record<string, unknown>;

/** Runs an operation. @returns its data; null where there are errors */
export type Run<Answer = Data> = (context: GraphQLContext, variables: object) => Promise<Answer | null>;

/** What is known of a document's operation: that it came, and then what it was compiled to; null where it was refused. */
type Known = "came" | Run<Data | FinishedData> | null;

/** The operation as a function; null where the compiler refuses it. */
function compile(schema: GraphQLSchema, document: DocumentNode, operationName: string | null): Run | null {
  const compiled = compileQuery<Data>(schema, document, operationName ?? undefined);
  if (!isCompiledQuery(compiled)) return null;
  return async (context, variables) => {
    const { data, errors } = await compiled.query(undefined, context, variables);
    return data && !errors ? data : null;
  };
}

/** The same for an answer that is sent, whose data may be text already. */
export const compileToSend = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
): Run<Data | FinishedData> | null => joinPosts(schema, document) ?? compile(schema, document, operationName);

/** Answers queries that came before. */
export function compiledQueries(): ApolloServerPlugin<GraphQLContext> {
  const known = new LRUCache<string, { is: Known }>({ max: MOST_OPERATIONS });

  const runOf = ({ schema, document, queryHash, operationName, request }: Asked) => {
    const isSent = request.http !== undefined; // or the board's own pages ask, for the data itself
    const key = `${isSent ? "sent" : "own"} ${queryHash} ${operationName ?? ""}`;
    const before = known.get(key)?.is;
    if (before === undefined) known.set(key, { is: "came" });
    if (before !== "came") return before ?? null;
    const run = (isSent ? compileToSend : compile)(schema, document, operationName);
    known.set(key, { is: run });
    return run;
  };

  const listener = {
    async responseForOperation(asked: Asked) {
      const run = asked.operation.operation === OperationTypeNode.QUERY ? runOf(asked) : null;
      const data = await run?.(asked.contextValue, asked.request.variables ?? {});
      if (!data) return null;
      const singleResult = { data: data as Data }; // what is text already goes nowhere but to `serialize`
      return { http: asked.response.http, body: { kind: "single" as const, singleResult } };
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
