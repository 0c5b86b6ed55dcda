/** The shape of a document's result for the XML writer: the type of each field by its response name. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from "graphql";
import { fragmentsOf } from "../../graphql/shared/complexity.js";
import { operationOf } from "./execute.js";

export type XmlType = "integer" | "float" | "boolean" | "dateTime";

export interface Shape {
  /** absent for strings, and for objects */
  type?: XmlType | undefined;
  isList: boolean;
  fields?: Record<string, Shape> | undefined;
}

const TYPES: Record<string, XmlType> = {
  Int: "integer",
  Float: "float",
  Boolean: "boolean",
  DateTimeISO: "dateTime",
};

/** The shape of the document's root field. */
export function shapeOf(schema: GraphQLSchema, document: DocumentNode): Shape {
  const operation = operationOf(document);
  const root = schema.getRootType(operation.operation);
  const fields = root ? fieldsOf(root, operation.selectionSet, fragmentsOf(document)) : {};
  return Object.values(fields)[0] ?? { isList: false };
}

/** The shape of a record: its own fields, and those of its objects, which a payload's record and some views have on one level. */
export function recordShapeOf({ fields = {} }: Shape): Shape {
  const nested = Object.values(fields).map((shape) => (shape.isList ? {} : shape.fields));
  return { isList: false, fields: Object.assign({}, ...nested, fields) as Record<string, Shape> };
}

function fieldsOf(
  type: GraphQLOutputType,
  selections: SelectionSetNode,
  fragments: Map<string, FragmentDefinitionNode>,
): Record<string, Shape> {
  const named = getNamedType(type);
  const fields: Record<string, Shape> = {};
  if (!isObjectType(named)) return fields;
  for (const selection of selections.selections) {
    if (selection.kind !== Kind.FIELD) {
      const spread = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (spread) Object.assign(fields, fieldsOf(named, spread.selectionSet, fragments));
      continue;
    }
    const field = named.getFields()[selection.name.value];
    if (!field) continue;
    const inner = selection.selectionSet;
    fields[(selection.alias ?? selection.name).value] = {
      type: TYPES[getNamedType(field.type).name],
      isList: isListType(getNullableType(field.type)),
      fields: inner ? fieldsOf(field.type, inner, fragments) : undefined,
    };
  }
  return fields;
}
