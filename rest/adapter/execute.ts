/**
 * Runs a row's document. Documents are compiled once by graphql-jit; if it refuses one, graphql-js runs it with the
 * same result. Only an error that makes the operation's root field null fails the request: one deeper down leaves
 * null there, except where a read failed as the database was unavailable.
 */
import {
  type DocumentNode,
  execute as interpret,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";
import { failure } from "../../src/errors.js";
import type { MaybePromise } from "../../src/lib/maybe-promise.js";
import type { GraphQLContext } from "../../graphql/context.js";
import { deepest, isUnavailable } from "../../graphql/shared/errors.js";

export type Variables = Record<string, unknown>;
/** @param root the root value; the board's root type needs none */
export type Run = (context: GraphQLContext, variables: Variables, root?: object) => MaybePromise<ExecutionResult>;

export const operationOf = (document: DocumentNode): OperationDefinitionNode => {
  const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new TypeError("a row's document has one operation");
  return operation;
};

/** The document as a compiled function, or interpreted if it can't be compiled. */
export function compile(schema: GraphQLSchema, document: DocumentNode): Run {
  const compiled: CompiledQuery | ExecutionResult = compileQuery(schema, document);
  if (!isCompiledQuery(compiled)) return interpreted(schema, document);
  return (context, variables, root) => compiled.query(root, context, variables);
}

export const interpreted =
  (schema: GraphQLSchema, document: DocumentNode): Run =>
  (contextValue, variableValues, root) =>
    interpret({ schema, document, contextValue, variableValues, rootValue: root });

/**
 * The value of the root field.
 * @param isRead whether the request can be repeated
 * @throws the error of the root field's resolver, or of a non-null field below it; of any field of a read, if it is a 503
 */
export function rootValue(
  result: ExecutionResult,
  isRead: boolean,
  onFieldError: (error: GraphQLError) => void,
): unknown {
  const [value = null] = Object.values<unknown>(result.data ?? {});
  for (const error of result.errors ?? []) {
    if (value === null || (isRead && isUnavailable(error))) throw causeOf(error);
    onFieldError(error);
  }
  return value;
}

/** The error as thrown by a resolver; one without a path is about the query itself. */
function causeOf(error: GraphQLError): unknown {
  const cause = deepest(error);
  return cause === error && error.path === undefined ? failure("invalid_query", { message: error.message }) : cause;
}
