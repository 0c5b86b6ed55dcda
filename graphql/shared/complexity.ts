/**
 * What a query costs, by the `complexity` of its fields: one for a field, a page's size times its records' cost for a list.
 * The library's ES module build brings a second copy of graphql with it, hence the CommonJS one.
 */
import { createRequire } from "node:module";
import type { DocumentNode, GraphQLSchema } from "graphql";
import type * as QueryComplexity from "graphql-query-complexity";

const { fieldExtensionsEstimator, getComplexity, simpleEstimator } = createRequire(import.meta.url)(
  "graphql-query-complexity",
) as typeof QueryComplexity;

const estimators = [fieldExtensionsEstimator(), simpleEstimator({ defaultComplexity: 1 })];

export interface CostedQuery {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName: string | null;
  variables: Record<string, unknown>;
}

export const costOf = ({ schema, document, operationName, variables }: CostedQuery): number =>
  getComplexity({ schema, query: document, variables, estimators, ...(operationName ? { operationName } : {}) });
