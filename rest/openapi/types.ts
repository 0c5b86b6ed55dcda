/** GraphQL types as JSON schemas: scalars, enums with the services' values, and selections of documents. */
import {
  getNamedType,
  type GraphQLEnumType,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLType,
  isEnumType,
  isListType,
  isNonNullType,
  type SelectionSetNode,
} from "graphql";
import { singular, toDashed } from "../../src/lib/case.js";
import type { Fragments } from "../../graphql/shared/selections.js";
import { selectedFields } from "../adapter/shape.js";
import { type Components, description, nullable, objectOf, type Properties, respelled, type Schema } from "./schema.js";

const SCALARS: Record<string, Schema> = {
  Int: { type: "integer", format: "int32" },
  Float: { type: "number", format: "double" },
  Boolean: { type: "boolean" },
  DateTimeISO: { type: "string", format: "date-time" },
  File: { type: "string", format: "binary", contentMediaType: "application/octet-stream" },
};

/** A scalar or an enum; unknown scalars are strings. */
export function leafOf(type: GraphQLNamedType, components: Components): Schema {
  if (isEnumType(type)) return components.add(enumOf(type), type.name);
  return { ...(SCALARS[type.name] ?? { type: "string" }) };
}

/** An enum by the values of the REST interface, each with its description. */
function enumOf(type: GraphQLEnumType): Schema {
  const values = type.getValues();
  const words = values.map((each) => each.value as unknown);
  const meanings = values.map((each) => `* \`${String(each.value)}\`: ${respelled(each.description)}`);
  const types = [...new Set(words.map((word) => (typeof word === "number" ? "integer" : "string")))];
  return {
    type: types.length === 1 ? types[0] : types,
    enum: words,
    description: `${respelled(type.description)}\n\n${meanings.join("\n")}`,
  };
}

/** The fields that a document selects of an object, by their response names. */
export function propertiesOf(
  type: GraphQLOutputType,
  selections: SelectionSetNode,
  fragments: Fragments,
  components: Components,
): Properties {
  const properties: Properties = {};
  for (const [name, field, inner] of selectedFields(type, selections, fragments)) {
    const schema = valueOf(field.type, inner, fragments, components);
    properties[name] = { ...schema, ...description(field.description), ...xmlOf(name, field.type) };
    if (schema.items) properties[name].items = { ...schema.items, xml: { name: toDashed(singular(name)) } };
  }
  return properties;
}

function valueOf(
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
  fragments: Fragments,
  components: Components,
): Schema {
  if (!isNonNullType(type)) return nullable(valueOf(new GraphQLNonNull(type), selections, fragments, components));
  const inner: GraphQLOutputType = type.ofType;
  if (isListType(inner)) return { type: "array", items: valueOf(inner.ofType, selections, fragments, components) };
  if (selections) return objectOf(propertiesOf(inner, selections, fragments, components));
  return leafOf(getNamedType(inner), components);
}

/** The XML name of a field, if it differs from its own. */
function xmlOf(name: string, type: GraphQLType): Pick<Schema, "xml"> {
  const isList = isListType(isNonNullType(type) ? type.ofType : type);
  const dashed = toDashed(name);
  if (isList) return { xml: { name: dashed, wrapped: true } };
  return dashed === name ? {} : { xml: { name: dashed } };
}
