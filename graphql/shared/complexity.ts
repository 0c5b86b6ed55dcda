/**
 * What a query costs, by the `complexity` of its fields: one for a field, a page's size times its records' cost for a list;
 * and as how many requests it counts.
 * The library's ES module build brings a second copy of graphql with it, hence the CommonJS one.
 */
import { createRequire } from "node:module";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
} from "graphql";
import type * as QueryComplexity from "graphql-query-complexity";

const { fieldExtensionsEstimator, getComplexity, simpleEstimator } = createRequire(import.meta.url)(
  "graphql-query-complexity",
) as typeof QueryComplexity;

/** What a request may cost without counting as more than one: a tenth of the most that a query may cost by default. */
export const POINTS_PER_REQUEST = 500;
/** Whatever is asked of the whole schema; its lists say nothing of their length. A type is a small part of it. */
const INTROSPECTION: Partial<Record<string, number>> = { __schema: POINTS_PER_REQUEST, __type: 25 };

const introspectionEstimator: QueryComplexity.ComplexityEstimator = ({ field }) => INTROSPECTION[field.name];

const estimators = [introspectionEstimator, fieldExtensionsEstimator(), simpleEstimator({ defaultComplexity: 1 })];

export interface CostedQuery {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName: string | null;
  variables: Record<string, unknown>;
}

export const costOf = ({ schema, document, operationName, variables }: CostedQuery): number =>
  getComplexity({ schema, query: document, variables, estimators, ...(operationName ? { operationName } : {}) });

/**
 * As how many requests an operation counts towards the hourly limit: one for each of its root fields, each of which could be
 * a request by itself, and no fewer than one for each `POINTS_PER_REQUEST` of its cost, or part of them.
 */
export const requestsOf = (
  { document, operationName }: Omit<CostedQuery, "schema" | "variables">,
  cost: number,
): number => Math.max(1, rootFields(document, operationName).size, Math.ceil(cost / POINTS_PER_REQUEST));

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
