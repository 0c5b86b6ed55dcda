/**
 * Compiles queries at their document's second use (graphql-jit): compiling takes longer than running once. Queries that the
 * compiler refuses are run by graphql-js.
 */
import type { ApolloServerPlugin, GraphQLRequestContextResponseForOperation } from "@apollo/server";
import { type DocumentNode, type GraphQLSchema, OperationTypeNode, visit } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { LRUCache } from "lru-cache";
import type { GraphQLContext } from "../context.js";
import { joinPosts } from "../posts/joined-posts.js";
import { type Answered, answeredBy, type Data, reported } from "./answered.js";
import type { ErrorFormat } from "./errors.js";

/** Number of cached operations: each takes some ten kilobytes. */
const MOST_OPERATIONS = 500;

type Asked = GraphQLRequestContextResponseForOperation<GraphQLContext>;

/** Runs an operation. @returns null if graphql-js has to run it */
export type Run = (context: GraphQLContext, variables: object) => Promise<Answered | null>;

/**
 * Whether the compiler gets a document right. A field `__proto__` would replace the prototype of its object, and conditions (`@skip`,
 * `@include`) would also apply to other selections of the same fields, or change their order.
 */
function isCompilable(document: DocumentNode): boolean {
  let isRight = true;
  visit(document, {
    Directive: () => void (isRight = false),
    Field: ({ alias, name }) => void (isRight &&= (alias ?? name).value !== "__proto__"),
  });
  return isRight;
}

/** The state of a document's operation: used once, then compiled; null if it was refused. */
type Known = "came" | Run | null;

/** The operation as a function; null if the compiler refuses it. */
function compile(schema: GraphQLSchema, document: DocumentNode, operationName: string | null): Run | null {
  const compiled = compileQuery<Data>(schema, document, operationName ?? undefined);
  if (!isCompiledQuery(compiled)) return null;
  return async (context, variables) => answeredBy(await compiled.query(undefined, context, variables));
}

/** The same for a response that is sent, whose data may be text already. */
export const compileToSend = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
): Run | null => joinPosts(schema, document) ?? compile(schema, document, operationName);

/** An Apollo plugin that runs repeated queries. */
export function compiledQueries(format: ErrorFormat): ApolloServerPlugin<GraphQLContext> {
  const known = new LRUCache<string, { is: Known }>({ max: MOST_OPERATIONS });

  const runOf = ({ schema, document, queryHash, operationName, request }: Asked) => {
    const isSent = request.http !== undefined; // otherwise the board's own pages need the data itself
    const key = `${isSent ? "sent" : "own"} ${queryHash} ${operationName ?? ""}`;
    const before = known.get(key)?.is;
    if (before === undefined) known.set(key, { is: "came" });
    if (before !== "came") return before ?? null;
    const run = isCompilable(document) ? (isSent ? compileToSend : compile)(schema, document, operationName) : null;
    known.set(key, { is: run });
    return run;
  };

  const listener = {
    async responseForOperation(asked: Asked) {
      const run = asked.operation.operation === OperationTypeNode.QUERY ? runOf(asked) : null;
      const answered = await run?.(asked.contextValue, asked.request.variables ?? {});
      if (!answered) return null;
      const data = answered.data as Data | null; // text is only passed to `serialize`
      const errors = reported(format, answered.errors);
      const singleResult = errors.length > 0 ? { errors, data } : { data };
      return { http: asked.response.http, body: { kind: "single" as const, singleResult } };
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
