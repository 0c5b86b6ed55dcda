/** GraphQL errors, over HTTP and WebSocket alike: with the reasons of the one table, without internals. */
import { ApolloServerErrorCode } from "@apollo/server/errors";
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from "graphql";
import { toBoardError } from "../../src/database/faults.js";
import type { Board } from "../../src/board.js";
import { type BoardError, failure } from "../../src/errors.js";
import { byInputPath } from "./input-paths.js";

/** Maximum length of an error's message: graphql includes names and values of the request in its own. */
export const MAX_MESSAGE = 1_000;

/** The GraphQL error for a failure of the table. @param fields errors by path of the input */
export const extensionsOf = (error: BoardError, fields = error.fields): Record<string, unknown> => ({
  code: error.code,
  status: error.status,
  reason: error.reason,
  ...(fields ? { field: Object.keys(fields)[0], fields } : {}),
  ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  ...error.extra,
});

/** A refusal before anything of the query runs. @param extensions for Apollo, such as the HTTP status */
export const refusal = (error: BoardError, extensions = {}): GraphQLError =>
  new GraphQLError(error.reason, { extensions, originalError: error });

/** Errors of Apollo and graphql-js that are the caller's fault: the query can't be parsed, or is not valid. */
const CALLERS_FAULT = new Set<string>([
  ApolloServerErrorCode.GRAPHQL_PARSE_FAILED,
  ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED,
  ApolloServerErrorCode.BAD_USER_INPUT,
  ApolloServerErrorCode.BAD_REQUEST,
  ApolloServerErrorCode.OPERATION_RESOLUTION_FAILURE,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_FOUND,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_SUPPORTED,
]);

/** A document nested so deeply that the parser's stack overflows. */
export const tooDeep = (): BoardError => failure("query_too_costly", { quality: "deep" });

export type ErrorFormat = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

/** The format of a board's errors, which also counts each by its row in the table. */
export function errorFormat(
  schema: GraphQLSchema,
  { log, telemetry: { metrics } }: Pick<Board, "log" | "telemetry">,
): ErrorFormat {
  return (formatted, error) => {
    const code = stringOrEmpty(formatted.extensions?.code);
    const cause = deepest(error);
    const isUnreadable =
      CALLERS_FAULT.has(code) || (cause instanceof GraphQLError && (code === "" || isBadRequest(cause)));
    const isTooDeep = isUnreadable && cause instanceof RangeError;
    if (isUnreadable && !isTooDeep) {
      // Apollo's clients look for the code of persisted queries; everything else has the table's.
      metrics.failed("invalid_query");
      const kept = code.startsWith("PERSISTED_QUERY") ? code : "INVALID_PARAMETERS";
      const message = formatted.message.slice(0, MAX_MESSAGE);
      return { ...formatted, message, extensions: { code: kept, status: 424, reason: message } };
    }
    const refused = isTooDeep ? tooDeep() : toBoardError(cause);
    metrics.failed(refused.key);
    if (refused.code === "INTERNAL") log.error({ err: refused.cause ?? error }, "unforeseen error in a resolver");
    const fields = refused.fields && byInputPath(schema, error, refused.fields);
    return { ...formatted, message: refused.reason, extensions: extensionsOf(refused, fields) };
  };
}

/** Apollo gives some of its errors, those of persisted queries, an HTTP status instead of a code. */
const isBadRequest = ({ extensions }: GraphQLError): boolean =>
  (extensions.http as { status?: number } | undefined)?.status === 400;

const stringOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");

/** The error within, as errors of resolvers are wrapped. */
export function deepest(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}
