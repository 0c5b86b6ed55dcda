/** The keys of a search (`search[...]`): their synonyms, and keys unknown to an operation. */
import {
  getNullableType,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  type OperationDefinitionNode,
  typeFromAST,
} from "graphql";
import { toSnake } from "../../src/lib/case.js";
import { isNesting, own, type Params } from "./params.js";
import type { Spelling } from "./schema.js";

/** The names by which a field of an input may be sent, its own first; `sort` is `order` everywhere. */
export function namesOf({ name, extensions }: GraphQLInputField): string[] {
  const { synonyms = [] } = extensions as Spelling;
  return [toSnake(name), ...(name === "order" ? ["sort"] : []), ...synonyms];
}

const variableOf = ({ variableDefinitions = [] }: OperationDefinitionNode, name: string) =>
  variableDefinitions.find(({ variable }) => variable.name.value === name);

export const hasSearch = (operation: OperationDefinitionNode): boolean => variableOf(operation, "search") !== undefined;

/** The keys that an operation knows; of one without a search its variables, which may be put into one. */
function keysOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Set<string> {
  const search = variableOf(operation, "search");
  if (!search) return new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value));
  const type = getNullableType(typeFromAST(schema, search.type) as GraphQLInputType);
  return new Set(isInputObjectType(type) ? Object.values(type.getFields()).flatMap(namesOf) : []);
}

/** Names that a header can contain, and how many of them it lists. */
const LISTABLE = /^[\w.-]{1,64}$/;
const MOST = 20;

/**
 * Finds the keys of a request's search that are unknown to the operation. They are ignored, as in the original, but
 * reported, so that a client's author can notice.
 * @returns a function that lists their names as sent, separated by commas; null if there are none
 */
export function unknownKeys(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): (params: Params) => string | null {
  const known = keysOf(schema, operation);
  return (params) => {
    const search = own(params, "search");
    if (!isNesting(search)) return null;
    const unknown = Object.keys(search).filter((key) => !known.has(key) && LISTABLE.test(key));
    return unknown.length === 0
      ? null
      : unknown
          .slice(0, MOST)
          .map((key) => `search[${key}]`)
          .join(", ");
  };
}
