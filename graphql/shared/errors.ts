/** GraphQL errors, over HTTP and WebSocket alike: with the reasons of the one table, without internals. */
import { ApolloServerErrorCode } from "@apollo/server/errors";
import {
  getNamedType,
  type GraphQLArgument,
  GraphQLError,
  type GraphQLField,
  type GraphQLFormattedError,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
} from "graphql";
import { toBoardError } from "../../src/database/faults.js";
import type { Board } from "../../src/board.js";
import { type BoardError, failure, STATUS } from "../../src/errors.js";
import { toCamel } from "../../src/lib/case.js";

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

/** Whether a field failed because the board is unavailable at the moment (503). */
export const isUnavailable = (error: GraphQLError): boolean =>
  toBoardError(deepest(error)).status === STATUS.UNAVAILABLE;

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
    if (refused.code === "INTERNAL") log.error({ err: refused.cause ?? error }, "unexpected error in a resolver");
    const fields = refused.fields && byInputPath(schema, error, refused.fields);
    const reason = withoutBrackets(Object.keys(refused.fields ?? {})[0], refused.reason);
    return { ...formatted, message: reason, extensions: { ...extensionsOf(refused, fields), reason } };
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

type Input = GraphQLArgument | GraphQLInputField;
type Fields = Record<string, string[]>;

/**
 * The path of a field in the arguments of a query or mutation. Services name fields as REST does (`post`, `tag_string`,
 * `upload[rating]`), GraphQL by their paths (`input.postId`, `input.tagString`, `input.rating`): the input of its name, or of its name with `Id`; brackets are
 * inputs within inputs or the name of the resource. Anything else is about the record that the input identifies.
 */
export function inputPath({ args }: Pick<GraphQLField<unknown, unknown>, "args">, name: string): string {
  const names = (name.match(/[^[\]]+/g) ?? []).map(toCamel);
  const found = find(args, names) ?? find(args, names.slice(1));
  if (found !== null) return found;
  const input = args.find((arg) => arg.name === "input");
  return input ? (find([input], ["id"]) ?? "input") : name;
}

/** @returns null if there is no such input */
function find(inputs: readonly Input[], [name, ...within]: readonly string[]): string | null {
  if (name === undefined) return null;
  const own = inputs.find((each) => each.name === name) ?? inputs.find((each) => each.name === `${name}Id`);
  if (own && within.length === 0) return own.name;
  const places = own ? [{ of: own, names: within }] : inputs.map((of) => ({ of, names: [name, ...within] }));
  for (const { of, names } of places) {
    const deeper = find(inputsOf(of), names);
    if (deeper !== null) return `${of.name}.${deeper}`;
  }
  return null;
}

function inputsOf({ type }: Input): Input[] {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
}

/** A sentence about a field that REST has in brackets: `rating is required` of `upload[rating] is required`. */
const withoutBrackets = (field = "", sentence: string): string =>
  field.includes("[") ? sentence.replace(/\b\w+(?:\[(\w+)\])+/g, "$1") : sentence;

/** The fields of an error by their paths. @param error of a root field; others keep their names */
export function byInputPath(schema: GraphQLSchema, error: unknown, fields: Fields): Fields {
  const root = rootFieldOf(schema, error);
  if (!root) return fields;
  const byPath: Fields = {};
  for (const [name, messages] of Object.entries(fields))
    (byPath[inputPath(root, name)] ??= []).push(...messages.map((text) => withoutBrackets(name, text)));
  return byPath;
}

function rootFieldOf(schema: GraphQLSchema, error: unknown): GraphQLField<unknown, unknown> | undefined {
  const { path, nodes } = error as Partial<GraphQLError>;
  const node = nodes?.[0];
  if (path?.length !== 1 || node?.kind !== Kind.FIELD) return undefined;
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.map((type) => type?.getFields()[node.name.value]).find((field) => field !== undefined);
}
