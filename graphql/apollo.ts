/** GraphQL over HTTP: Apollo Server with the limits of operations, and errors from the table of failures. */
import { ApolloServer, type ApolloServerPlugin, type GraphQLRequestListener, HeaderMap } from "@apollo/server";
import { ApolloServerPluginCacheControlDisabled } from "@apollo/server/plugin/disabled";
import { InMemoryLRUCache, type KeyValueCache } from "@apollo/utils.keyvaluecache";
import { type FormattedExecutionResult, GraphQLError, type GraphQLSchema, OperationTypeNode } from "graphql";
import type { Board } from "../src/board.js";
import { toBoardError } from "../src/database/faults.js";
import { failure } from "../src/errors.js";
import type { Pieces } from "../src/lib/pieces.js";
import type { GraphQLContext } from "./context.js";
import { compiledQueries } from "./shared/compiled-queries.js";
import { asksForSchema } from "./shared/complexity.js";
import { type ErrorFormat, extensionsOf, refusal } from "./shared/errors.js";
import { serialize } from "./shared/answered.js";
import { type Cost, type OperationLimits, HTTP } from "./shared/operation-limits.js";
import { rememberedIntrospection } from "./shared/introspection.js";
import { permitOperation } from "./shared/access.js";
import { observedOperations } from "./shared/telemetry.js";

const PERSISTED_QUERIES_BYTES = 5 * 1024 * 1024;

/** The documents of the board's own pages by their SHA-256. */
export type KnownDocuments = ReadonlyMap<string, string>;

/** Persisted queries: the pages' own, and in bounded memory those that clients have sent. */
function persistedQueries(known: KnownDocuments): KeyValueCache {
  const sent = new InMemoryLRUCache({ maxSize: PERSISTED_QUERIES_BYTES });
  return {
    get: (key) => Promise.resolve(known.get(key.replace(/^apq:/, "")) ?? sent.get(key)),
    set: (key, text, options) => sent.set(key, text, options),
    delete: (key) => sent.delete(key),
  };
}

/** Headers that browsers send across origins only after a preflight request. */
export const PREFLIGHT_HEADERS = ["x-apollo-operation-name", "apollo-require-preflight"] as const;

/** Checks permissions and limits before an operation runs, and adds its cost to the response (`extensions.cost`). */
const limited = (limits: OperationLimits, known: KnownDocuments): ApolloServerPlugin<GraphQLContext> => ({
  requestDidStart: () =>
    Promise.resolve({
      async didResolveOperation({ request, queryHash, schema, document, operationName, contextValue }) {
        const { heavy } = contextValue;
        const isHeavy = asksForSchema(document, operationName);
        const charge = async (cost: Cost) => {
          heavy?.end(); // the rest mostly waits for the database
          Object.assign(contextValue, { cost });
          await contextValue.charge(cost.requests);
          if (isHeavy) await heavy?.begin();
        };
        try {
          permitOperation(contextValue, { schema, document, operationName });
          const { operationName: asked, variables } = request;
          await limits.admit({ document, operationName: asked, variables }, HTTP, charge, known.has(queryHash));
        } catch (error) {
          refuse(error);
        }
      },
      willSendResponse({ response, contextValue }) {
        const { cost } = contextValue as { cost?: Cost };
        if (cost === undefined || response.body.kind !== "single") return Promise.resolve();
        const { singleResult } = response.body;
        singleResult.extensions = { ...singleResult.extensions, cost };
        return Promise.resolve();
      },
    }),

  // a rule of graphql-js throws its error, for a subscription whose field has a condition with a variable
  async unexpectedErrorProcessingRequest({ error }) {
    if (error instanceof GraphQLError) refuse(failure("invalid_query", { message: error.message }));
  },
});

/** Marks responses as not to be stored. Apollo's own plugin wraps a resolver around each field of the schema to do so. */
const notStored: ApolloServerPlugin<GraphQLContext> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse({ response: { http } }) {
        if (!http.headers.has("cache-control")) http.headers.set("cache-control", "no-store");
        return Promise.resolve();
      },
    }),
};

/** Invalid queries have the HTTP status 400. @throws GraphQLError */
function refuse(error: unknown): never {
  const refused = toBoardError(error);
  const { code, status, retryAfter } = refused;
  const headers = new HeaderMap(retryAfter === undefined ? [] : [["retry-after", String(retryAfter)]]);
  throw refusal(refused, { http: { status: code === "INVALID_PARAMETERS" ? 400 : status, headers } });
}

/** Shared by GraphQL over HTTP and subscriptions. */
export interface Shared {
  schema: GraphQLSchema;
  limits: OperationLimits;
  format: ErrorFormat;
}

/** A response as JSON; an error if it is too large. */
export const boundedResponse =
  ({ config, telemetry }: Pick<Board, "config" | "telemetry">) =>
  (result: FormattedExecutionResult): string | Pieces => {
    const limit = config.GRAPHQL_MAX_RESPONSE_BYTES;
    const body = serialize(result);
    if (body.length <= limit && (typeof body !== "string" || Buffer.byteLength(body) <= limit)) return body;
    const refused = failure("response_too_large", { limit });
    telemetry.metrics.failed(refused.key);
    const { extensions } = result;
    return JSON.stringify({ errors: [{ message: refused.reason, extensions: extensionsOf(refused) }], extensions });
  };

export const createApollo = (
  { schema, limits, format }: Shared,
  board: Pick<Board, "config" | "log" | "telemetry">,
  plugins: ApolloServerPlugin<GraphQLContext>[],
  known: KnownDocuments = new Map(),
): ApolloServer<GraphQLContext> =>
  new ApolloServer<GraphQLContext>({
    schema,
    introspection: true,
    csrfPrevention: { requestHeaders: [...PREFLIGHT_HEADERS] },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    parseOptions: limits.parsing,
    persistedQueries: { cache: persistedQueries(known) },
    validationRules: limits.rules,
    // Apollo passes on what this returns as the body, without looking at it
    stringifyResult: boundedResponse(board) as (result: FormattedExecutionResult) => string,
    formatError: format,
    plugins: [
      limited(limits, known),
      rememberedIntrospection(),
      compiledQueries(format),
      servedByReplicas,
      observedOperations,
      notStored,
      ApolloServerPluginCacheControlDisabled(),
      ...plugins,
    ],
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => board.log.warn(message),
      error: (message) => board.log.error(message),
    },
  });

/** Queries read from replicas, if there are any; mutations record the log position of their writes. Awaited before the first resolver, and before the response. */
const onReplicas: GraphQLRequestListener<GraphQLContext> = {
  async didResolveOperation({ operation, contextValue }) {
    if (operation?.operation === OperationTypeNode.QUERY) await contextValue.board.replicas?.choose(contextValue);
  },
  async willSendResponse({ operation, contextValue }) {
    if (operation?.operation === OperationTypeNode.MUTATION) await contextValue.board.replicas?.wrote(contextValue);
  },
};

const servedByReplicas: ApolloServerPlugin<GraphQLContext> = {
  requestDidStart: ({ contextValue }) => Promise.resolve(contextValue.board.replicas ? onReplicas : undefined),
};
