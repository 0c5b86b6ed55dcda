/** Input types as schemas: flat, by bracket names, or nested. */
import {
  getNamedType,
  getNullableType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import { toSnake } from "../../src/lib/case.js";
import type { Spelling } from "../adapter/schema.js";
import { namesOf } from "../adapter/search-keys.js";
import { type Components, description, nullable, objectOf, type Schema } from "./schema.js";
import { leafOf } from "./types.js";

/** A value in a query or form, with its bracket name. */
export interface Sent {
  /** `search[post_id]` */
  name: string;
  type: GraphQLInputType;
  required: boolean;
  description: string;
  /** whether list items are separated by spaces rather than commas */
  blanks: boolean;
  synonyms: string[];
}

export const inputTypeOf = (type: GraphQLInputType): GraphQLInputObjectType | null => {
  const present = getNullableType(type);
  return isInputObjectType(present) ? present : null;
};

/**
 * The fields of an input type and of nested inputs.
 * @param prefix name before the brackets; empty for fields without brackets
 * @param without fields that are in the path
 */
export function sentOf(type: GraphQLInputObjectType, prefix: string, without: readonly string[] = []): Sent[] {
  return fieldsOf(type, without).flatMap((field): Sent[] => {
    const [name = "", ...synonyms] = namesOf(field).map((each) => (prefix ? `${prefix}[${each}]` : each));
    const required = isNonNullType(field.type);
    const nested = inputTypeOf(field.type);
    if (nested) return sentOf(nested, name).map((each) => ({ ...each, required: required && each.required }));
    const { separator } = field.extensions as Spelling;
    return [
      {
        name,
        type: field.type,
        required,
        description: field.description ?? "",
        blanks: separator !== undefined,
        synonyms,
      },
    ];
  });
}

export const fieldsOf = (type: GraphQLInputObjectType, without: readonly string[] = []): GraphQLInputField[] =>
  Object.values(type.getFields()).filter((field) => !without.includes(toSnake(field.name)));

/** The schema of a value that is not null, as no value in a query or form is. */
export function valueOf(type: GraphQLInputType, components: Components): Schema {
  const present = getNullableType(type);
  if (isListType(present)) return { type: "array", items: valueOf(present.ofType, components) };
  if (isInputObjectType(present)) return jsonOf(present, components);
  return leafOf(getNamedType(present), components);
}

/** The schema of a list that is sent as one text. */
export const styleOf = ({ type, blanks }: Sent): { style: string; explode: false } | null =>
  isListType(getNullableType(type)) ? { style: blanks ? "spaceDelimited" : "form", explode: false } : null;

/** An input type as a JSON object, without files. */
export function jsonOf(type: GraphQLInputObjectType, components: Components, without: readonly string[] = []): Schema {
  const fields = fieldsOf(type, without).filter((field) => !isFile(field.type));
  const properties = fields.map((field) => {
    const optional = !isNonNullType(field.type);
    const value = valueOf(field.type, components);
    return [
      toSnake(field.name),
      { ...(optional ? nullable(value) : value), ...description(field.description), optional },
    ] as const;
  });
  return { ...objectOf(Object.fromEntries(properties)), ...description(type.description) };
}

export const isFile = (type: GraphQLInputType): boolean => getNamedType(type).name === "File";
