/** A row of the table with its root field, record and variables from the schema. */
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  Kind,
  type ObjectFieldNode,
  OperationTypeNode,
  typeFromAST,
} from "graphql";
import { type Fragments, fragmentsOf } from "../../graphql/shared/selections.js";
import { operationOf } from "../adapter/execute.js";
import type { ResourceRow } from "../adapter/row.js";

export interface Variable {
  name: string;
  type: GraphQLInputType;
  hasDefault: boolean;
  /** description of the argument that it is passed to */
  description: string;
}

/** A row together with its types. */
export interface Operation {
  row: ResourceRow;
  /** the document's name, `NotesIndex` */
  name: string;
  isMutation: boolean;
  isList: boolean;
  root: GraphQLField<unknown, unknown>;
  /** who may call it: `public`, or the minimum level */
  access: string;
  /** whether visitors may call it; not those of accounts, banned ones too */
  isOpen: boolean;
  /** the type that is selected from: the node of a list, the record itself, or the payload around it */
  recordType: GraphQLOutputType;
  recordNode: FieldNode;
  fragments: Fragments;
  variables: Variable[];
  /** names of the parameters in the path, in order */
  pathNames: string[];
  /** the listings that a parameter selects instead */
  others: Operation[];
}

/** @throws TypeError for a document that the schema does not support */
export function lookUp(schema: GraphQLSchema, row: ResourceRow): Operation {
  const operation = operationOf(row.document);
  const [node] = operation.selectionSet.selections;
  const type = schema.getRootType(operation.operation);
  const root = node?.kind === Kind.FIELD ? type?.getFields()[node.name.value] : undefined;
  if (!root || node?.kind !== Kind.FIELD) throw new TypeError(`${row.method} ${row.path} has no field of the schema`);
  const listed = nodesOf(root, node);
  return {
    row,
    name: operation.name?.value ?? "",
    isMutation: operation.operation === OperationTypeNode.MUTATION,
    isList: listed !== null,
    root,
    access: (root.extensions.access as string | undefined) ?? "public",
    isOpen: root.extensions.isOpen === true,
    recordType: listed?.type ?? root.type,
    recordNode: listed?.node ?? node,
    fragments: fragmentsOf(row.document),
    variables: variablesOf(schema, row.document, root, node),
    pathNames: [...row.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name),
    others: Object.values(row.choice?.others ?? {}).map((other) => lookUp(schema, other)),
  };
}

/** The node type of a connection; null if the result is one record. */
function nodesOf(root: GraphQLField<unknown, unknown>, node: FieldNode) {
  const type = getNamedType(root.type);
  const selected = node.selectionSet?.selections.find(
    (each): each is FieldNode => each.kind === Kind.FIELD && each.name.value === "nodes",
  );
  const field = isObjectType(type) ? type.getFields().nodes : undefined;
  return field && selected ? { type: getNamedType(field.type) as GraphQLOutputType, node: selected } : null;
}

function variablesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  root: GraphQLField<unknown, unknown>,
  node: FieldNode,
): Variable[] {
  return (operationOf(document).variableDefinitions ?? []).map((definition) => {
    const name = definition.variable.name.value;
    return {
      name,
      type: typeFromAST(schema, definition.type) as GraphQLInputType,
      hasDefault: definition.defaultValue !== undefined,
      description: meaningOf(name, node.arguments ?? [], root.args),
    };
  });
}

/** The description of what a variable is passed to: an argument, or a field of an input in one; empty if there is none. */
function meaningOf(
  variable: string,
  given: readonly (ArgumentNode | ObjectFieldNode)[],
  targets: readonly (GraphQLArgument | GraphQLInputField)[],
): string {
  for (const { name, value } of given) {
    const target = targets.find((each) => each.name === name.value);
    const type = target && getNamedType(target.type);
    const isIt = value.kind === Kind.VARIABLE && value.name.value === variable;
    const inner =
      value.kind === Kind.OBJECT && isInputObjectType(type)
        ? meaningOf(variable, value.fields, Object.values(type.getFields()))
        : "";
    const found = isIt ? target?.description : inner;
    if (found) return found;
  }
  return "";
}

export const isRequired = ({ type, hasDefault }: Variable): boolean => isNonNullType(type) && !hasDefault;

/** Whether the result may be null. */
export const mayBeMissing = ({ root }: Operation): boolean => getNullableType(root.type) === root.type;
