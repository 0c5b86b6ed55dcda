/**
 * What an operation costs, by the `complexity` of its fields: one for a field, a list's length times its records' cost for a
 * list; and as how many requests it counts.
 * The library's ES module build brings a second copy of graphql with it, hence the CommonJS one.
 */
import { createRequire } from "node:module";
import type { GraphQLError } from "graphql";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  type GraphQLSchema,
  isIntrospectionType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  ValidationContext,
  type VariableNode,
  visit,
} from "graphql";
import type * as QueryComplexity from "graphql-query-complexity";

const {
  default: createComplexityRule,
  fieldExtensionsEstimator,
  simpleEstimator,
} = createRequire(import.meta.url)("graphql-query-complexity") as typeof QueryComplexity;

/** What a request may cost without counting as more than one: a tenth of the most that a query may cost by default. */
const POINTS_PER_REQUEST = 500;

/** Selections that are looked at, those of a fragment once for each of its spreads; each is a microsecond or two. */
const MAX_SELECTIONS = 5_000;

/** The whole schema, whose lists have no length to go by: 700 kB and 40 ms in full. A type is a small part of it. */
const SCHEMA = 2_000;
const INTROSPECTION: Partial<Record<string, number>> = { __schema: SCHEMA, __type: 25 };

/** An alias within introspection repeats the whole; without aliases, each field is there once. */
const introspectionEstimator: QueryComplexity.ComplexityEstimator = ({ field, type, node, childComplexity }) => {
  const base = INTROSPECTION[field.name];
  if (base !== undefined) return base + childComplexity;
  if (!isIntrospectionType(type)) return undefined;
  return childComplexity + (node.alias ? SCHEMA : 0);
};

/** Prices of texts by the names of their fields: bodies have up to 80,000 characters, and a thousand tags are to be sorted. */
const TEXTS: readonly (readonly [names: RegExp, price: number])[] = [
  [/^(?:body|description|[a-z]+Description)(?:Html)?$/, 5],
  [/^(?:tagString[A-Za-z]*|urlString)$/, 10],
];
const textEstimator: QueryComplexity.ComplexityEstimator = ({ field }) =>
  TEXTS.find(([names]) => names.test(field.name))?.[1];

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

/** @throws GraphQLError for an operation that its fragments make too large to be reckoned up */
export function costOf({ schema, document, operation, variables }: Operation): number {
  const raise = (error: GraphQLError): never => {
    throw error;
  };
  const context = new ValidationContext(schema, document, new TypeInfo(schema), raise);
  const options = { estimators, maximumComplexity: Infinity, maxQueryNodes: MAX_SELECTIONS };
  const calculator = createComplexityRule(options)(context);
  calculator.variableValues = variables; // the calculator's own way would coerce them again, without a bound on errors
  return calculator.nodeComplexity(operation, schema.getRootType(operation.operation) ?? undefined);
}

/** The variables that say how much is asked for: as the length of a list, or by leaving a part out. */
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
 * As how many requests an operation counts towards the hourly limit: one for each of its root fields, each of which could be
 * a request by itself, and no fewer than one for each `POINTS_PER_REQUEST` of its cost, or part of them.
 */
export const requestsOf = (document: DocumentNode, operationName: string | null, cost: number): number =>
  Math.max(1, rootFields(document, operationName).size, Math.ceil(cost / POINTS_PER_REQUEST));

/** Whether an operation asks for the schema, or a type of it. */
export const asksForSchema = (document: DocumentNode, operationName: string | null): boolean =>
  [...rootFields(document, operationName).values()].some((name) => INTROSPECTION[name] !== undefined);

/** The operation's root fields by their names in the answer, those in fragments too. */
export function rootFields(document: DocumentNode, operationName: string | null): Map<string, string> {
  const fragments = new Map(
    document.definitions
      .filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const names = new Map<string, string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const each of selections) {
      if (each.kind === Kind.FIELD) names.set((each.alias ?? each.name).value, each.name.value);
      else if (each.kind === Kind.INLINE_FRAGMENT) collect(each.selectionSet);
      else spread(each.name.value);
    }
  };
  const spread = (name: string): void => {
    const fragment = fragments.get(name);
    fragments.delete(name); // once is enough, and it may lead back to itself
    if (fragment) collect(fragment.selectionSet);
  };
  const operation = getOperationAST(document, operationName);
  if (operation) collect(operation.selectionSet);
  return names;
}
