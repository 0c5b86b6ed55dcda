/**
 * Runs a row's document. Documents are compiled once by graphql-jit; one that it refuses is run by graphql-js, with the
 * same result. Only an error that leaves nothing of the operation's root field fails the request: one deeper down leaves a
 * null behind.
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
import type { GraphQLContext } from "../../graphql/context.js";

export type Variables = Record<string, unknown>;
/** @param root what the fields of the root type are read of; the board has none of its own */
export type Run = (
  context: GraphQLContext,
  variables: Variables,
  root?: object,
) => ExecutionResult | Promise<ExecutionResult>;

export const operationOf = (document: DocumentNode): OperationDefinitionNode => {
  const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new TypeError("a row's document has one operation");
  return operation;
};

/** The document as a function, compiled; or interpreted where it can't be compiled. */
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
 * @throws whatever the root field's resolver threw, or a field below it without which there is no value
 */
export function rootValue(result: ExecutionResult, onFieldError: (error: GraphQLError) => void): unknown {
  const [value = null] = Object.values<unknown>(result.data ?? {});
  for (const error of result.errors ?? []) {
    if (value === null) throw deepest(error);
    onFieldError(error);
  }
  return value;
}

/** Middleware may wrap an error several times; the first one says what happened. */
function deepest(error: GraphQLError): unknown {
  let cause: unknown = error;
  while (cause instanceof Error && "originalError" in cause && cause.originalError) cause = cause.originalError;
  return cause === error && error.path === undefined ? failure("invalid_query", { message: error.message }) : cause;
}
