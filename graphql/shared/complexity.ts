/**
 * The cost of an operation, by the `complexity` of its fields: one for a field, a list's length times its records' cost for a
 * list; and the number of requests it counts as.
 * The library's ES module build brings a second copy of graphql with it, hence the CommonJS one.
 */
import type { GraphQLError } from "graphql";
import {
  type DocumentNode,
  type GraphQLSchema,
  isIntrospectionType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  ValidationContext,
  type VariableNode,
  visit,
} from "graphql";
import complexity, { type ComplexityEstimator } from "graphql-query-complexity/cjs";
import { rootFields } from "./selections.js";

const { createComplexityRule, fieldExtensionsEstimator, simpleEstimator } = complexity;

/** The cost of one request: a tenth of the default maximum cost of a query. */
const POINTS_PER_REQUEST = 500;

/** Maximum number of selections, counting a fragment at each of its spreads; each takes a microsecond or two. */
const MAX_SELECTIONS = 5_000;

/** The whole schema as the standard question asks for it, whose lists have no known length: 700 kB and 40 ms. */
const SCHEMA = 2_000;
/** The selections of that question, by `introspectionEstimator`. */
const STANDARD = 1_000;
/** Of a single type: it may be the one with the most fields. */
const TYPE = 25;
const TYPE_SELECTION = 4;
const INTROSPECTION: Partial<Record<string, (selections: number) => number>> = {
  __schema: (selections) => SCHEMA * Math.max(1, Math.ceil(selections / STANDARD)),
  __type: (selections) => TYPE + TYPE_SELECTION * selections,
};
/** Lists of what a type has, from which other types can be reached, and their lists: graphql-js allows two of them within each other. */
const MEMBERS = new Set(["fields", "inputFields", "interfaces", "possibleTypes"]);
const MEMBERS_LENGTH = 5;

/** Within introspection: its selections. An alias repeats the whole; without aliases, each field is there once. */
const introspectionEstimator: ComplexityEstimator = ({ field, type, node, childComplexity }) => {
  const root = INTROSPECTION[field.name];
  if (root) return root(childComplexity);
  if (!isIntrospectionType(type)) return undefined;
  const length = MEMBERS.has(field.name) ? MEMBERS_LENGTH : 1;
  return 1 + length * childComplexity + (node.alias ? STANDARD : 0);
};

/** Prices of texts by the names of their fields: bodies have up to 80,000 characters, and a thousand tags have to be sorted. */
const TEXTS: readonly (readonly [names: RegExp, price: number])[] = [
  [/^(?:body|description|[a-z]+Description)(?:Html)?$/, 5],
  [/^(?:tagString[A-Za-z]*|urlString)$/, 10],
];
const textEstimator: ComplexityEstimator = ({ field }) => TEXTS.find(([names]) => names.test(field.name))?.[1];

const estimators = [
  introspectionEstimator,
  fieldExtensionsEstimator(),
  textEstimator,
  simpleEstimator({ defaultComplexity: 1 }),
];

/** An operation of a valid document. */
export interface Operation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** coerced by their types, as `getVariableValues` gives them */
  variables: Record<string, unknown>;
}

/** @throws GraphQLError for an operation that its fragments make too large to compute */
export function costOf({ schema, document, operation, variables }: Operation): number {
  const raise = (error: GraphQLError): never => {
    throw error;
  };
  const context = new ValidationContext(schema, document, new TypeInfo(schema), raise);
  const options = { estimators, maximumComplexity: Infinity, maxQueryNodes: MAX_SELECTIONS };
  const calculator = createComplexityRule(options)(context);
  calculator.variableValues = variables; // the calculator itself would coerce them again, without a limit on errors
  return calculator.nodeComplexity(operation, schema.getRootType(operation.operation) ?? undefined);
}

/** The variables that determine the amount of data: lengths of lists, and conditions of `@skip` and `@include`. */
export function costVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  const find = { [Kind.VARIABLE]: (variable: VariableNode) => void names.add(variable.name.value) };
  visit(document, {
    [Kind.ARGUMENT]: (argument) => (argument.name.value === "first" ? void visit(argument, find) : undefined),
    [Kind.DIRECTIVE]: (directive) => void visit(directive, find),
  });
  return [...names];
}

/**
 * The number of requests an operation counts as: one for each of its root fields, each of which could be
 * a request by itself, and no fewer than one for each `POINTS_PER_REQUEST` of its cost, or part of them. None if it consists of
 * suggestions only, which have a limit of their own.
 */
export function requestsOf(document: DocumentNode, operationName: string | null, cost: number): number {
  const fields = rootFields(document, operationName);
  const requests = Math.max(1, fields.length, Math.ceil(cost / POINTS_PER_REQUEST));
  return requests === 1 && fields[0] === "autocomplete" ? 0 : requests;
}

/** Whether an operation is introspection. */
export const asksForSchema = (document: DocumentNode, operationName: string | null): boolean =>
  rootFields(document, operationName).some((name) => INTROSPECTION[name] !== undefined);
