/** The shape of a document's result for the XML writer: the type of each field by its response name. */
import {
  type DocumentNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isListType,
  isObjectType,
  type SelectionSetNode,
} from "graphql";
import { fieldsIn, type Fragments, fragmentsOf, responseName } from "../../graphql/shared/selections.js";
import { operationOf } from "./execute.js";
import type { Spelling } from "./schema.js";

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

/** The type of a value, null too; a number whose values have names (a tag's category) is an integer. */
function xmlTypeOf({ name, extensions }: GraphQLNamedType): XmlType | undefined {
  const { words = [] } = extensions as Spelling;
  return typeof words[0] === "number" ? "integer" : TYPES[name];
}

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

function fieldsOf(type: GraphQLOutputType, selected: SelectionSetNode, fragments: Fragments): Record<string, Shape> {
  const fields: Record<string, Shape> = {};
  for (const [name, field, inner] of selectedFields(type, selected, fragments)) {
    fields[name] = {
      type: xmlTypeOf(getNamedType(field.type)),
      isList: isListType(getNullableType(field.type)),
      fields: inner ? fieldsOf(field.type, inner, fragments) : undefined,
    };
  }
  return fields;
}

/** The fields that a document selects of an object, in fragments too: each with its response name and what is selected of it. */
export function* selectedFields(
  type: GraphQLOutputType,
  selected: SelectionSetNode,
  fragments: Fragments,
): Generator<[name: string, field: GraphQLField<unknown, unknown>, inner: SelectionSetNode | undefined]> {
  const named = getNamedType(type);
  if (!isObjectType(named)) return;
  for (const node of fieldsIn(selected, fragments)) {
    const field = named.getFields()[node.name.value];
    if (field) yield [responseName(node), field, node.selectionSet];
  }
}
