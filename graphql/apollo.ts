/** The GraphQL server: limits on what a query may cost, and errors in the words of the one table. */
import { ApolloServer, type ApolloServerPlugin } from "@apollo/server";
import { ApolloServerErrorCode, unwrapResolverError } from "@apollo/server/errors";
import { InMemoryLRUCache } from "@apollo/utils.keyvaluecache";
import { maxAliasesRule } from "@escape.tech/graphql-armor-max-aliases";
import { maxDepthRule } from "@escape.tech/graphql-armor-max-depth";
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema, type ValidationContext } from "graphql";
import type { Config } from "../src/config.js";
import { toBoardError } from "../src/database/faults.js";
import { type BoardError, failure, type FailureKey } from "../src/errors.js";
import type { Logger } from "../src/telemetry/log.js";
import type { GraphQLContext } from "./context.js";
import { costOf, type CostedQuery, requestsOf } from "./shared/complexity.js";
import { servedByReplicas } from "./shared/replicas.js";
import { observedOperations } from "./shared/telemetry.js";

/** Most words and signs in one document. */
export const MAX_TOKENS = 15_000;
const PERSISTED_QUERIES_BYTES = 5 * 1024 * 1024;

/** What GraphQL says of a failure of the table. */
export const extensionsOf = (error: BoardError): Record<string, unknown> => ({
  code: error.code,
  status: error.status,
  reason: error.reason,
  ...(error.fields ? { field: Object.keys(error.fields)[0], fields: error.fields } : {}),
  ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  ...error.extra,
});

/** A refusal before anything of the query runs, by default with the HTTP status that a query which is not valid has. */
const refusal = (error: BoardError, status = 400): GraphQLError =>
  new GraphQLError(error.reason, { extensions: { http: { status } }, originalError: error });

/** Errors of Apollo and graphql-js that are the caller's doing: the query can't be read, or is not valid. */
const CALLERS_FAULT = new Set<string>([
  ApolloServerErrorCode.GRAPHQL_PARSE_FAILED,
  ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED,
  ApolloServerErrorCode.BAD_USER_INPUT,
  ApolloServerErrorCode.BAD_REQUEST,
  ApolloServerErrorCode.OPERATION_RESOLUTION_FAILURE,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_FOUND,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_SUPPORTED,
]);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** An error as it is answered: from the table, without internals. @param failed told of each */
function format(log: Logger, failed: (key: FailureKey) => void) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const code = textOf(formatted.extensions?.code);
    if (CALLERS_FAULT.has(code)) {
      // Apollo's clients look for the code of persisted queries; everything else has the table's.
      failed("invalid_query");
      const kept = code.startsWith("PERSISTED_QUERY") ? code : "INVALID_PARAMETERS";
      return { ...formatted, extensions: { code: kept, status: 424, reason: formatted.message } };
    }
    const cause = toBoardError(deepest(error));
    failed(cause.key);
    if (cause.code === "INTERNAL") log.error({ err: cause.cause ?? error }, "unforeseen error in a resolver");
    return { ...formatted, message: cause.reason, extensions: extensionsOf(cause) };
  };
}

function deepest(error: unknown): unknown {
  let cause = unwrapResolverError(error);
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** @throws GraphQLError for variables that don't fit, and for a query that fragments make too large to be reckoned up */
export function costOrRefusal(query: CostedQuery): number {
  try {
    return costOf(query);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw refusal(failure("invalid_query", { message: error.message }, { cause: error }));
  }
}

/** Counts a query as further requests. @throws GraphQLError with the status of the limit that it is past */
async function charge(context: GraphQLContext, requests: number): Promise<void> {
  try {
    await context.charge(requests);
  } catch (error) {
    const refused = toBoardError(error);
    throw refusal(refused, refused.status);
  }
}

/**
 * Refuses a query that costs more than it may, before anything of it runs, and counts what it costs towards the hourly limit;
 * the cost is answered in `extensions.cost`.
 */
const complexity = (schema: GraphQLSchema, limit: number): ApolloServerPlugin<GraphQLContext> => ({
  requestDidStart: () =>
    Promise.resolve({
      async didResolveOperation({ request, document, operationName, contextValue }) {
        const cost = costOrRefusal({ schema, document, operationName, variables: request.variables ?? {} });
        if (cost > limit) throw refusal(failure("query_too_costly", { quality: `costly (${cost} of ${limit})` }));
        const requests = requestsOf({ document, operationName }, cost);
        Object.assign(contextValue, { cost: { requested: cost, limit, requests } });
        await charge(contextValue, requests - 1); // the first one was counted when it came
      },
      willSendResponse({ response, contextValue }) {
        const { cost } = contextValue as { cost?: object };
        if (cost === undefined || response.body.kind !== "single") return Promise.resolve();
        const { singleResult } = response.body;
        singleResult.extensions = { ...singleResult.extensions, cost };
        return Promise.resolve();
      },
    }),
});

/** The rules throw on their own, which would be an error of ours; here they report, like those of graphql-js. */
const reported = (quality: string) => ({
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, { message }: GraphQLError): void => {
      const found = message.replace(/^Syntax Error: |\.$/g, "");
      context?.reportError(new GraphQLError(failure("query_too_costly", { quality: `${quality} (${found})` }).reason));
    },
  ],
});

/** Rules that hold for every operation, whichever way it comes. */
export const limitingRules = (config: Config) => [
  // a query is as deep as its answer: fragments are no levels of their own
  maxDepthRule({ n: config.GRAPHQL_MAX_DEPTH, flattenFragments: true, ...reported("deep") }),
  maxAliasesRule({ n: config.GRAPHQL_MAX_ALIASES, ...reported("broad") }),
];

export const createApollo = (
  schema: GraphQLSchema,
  config: Config,
  log: Logger,
  plugins: ApolloServerPlugin<GraphQLContext>[],
  failed: (key: FailureKey) => void,
): ApolloServer<GraphQLContext> =>
  new ApolloServer<GraphQLContext>({
    schema,
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: MAX_TOKENS },
    persistedQueries: { cache: new InMemoryLRUCache({ maxSize: PERSISTED_QUERIES_BYTES }) },
    validationRules: limitingRules(config),
    formatError: format(log, failed),
    plugins: [complexity(schema, config.GRAPHQL_MAX_COMPLEXITY), servedByReplicas, observedOperations, ...plugins],
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
  });
