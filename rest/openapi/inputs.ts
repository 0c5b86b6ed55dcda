/** Input types as schemas: the fields that a request may send, flat by their bracket names, or nested. */
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
import { toSnake } from "../adapter/case.js";
import type { ListExtension } from "../adapter/schema.js";
import { namesOf } from "../adapter/search-keys.js";
import { type Components, nullable, objectOf, type Schema } from "./schema.js";
import { leafOf } from "./types.js";
import { description } from "./words.js";

/** A value that a request may send under a bracket name. */
export interface Sent {
  /** `search[post_id]` */
  name: string;
  type: GraphQLInputType;
  required: boolean;
  description: string;
  /** whether the items of its list are separated by blanks rather than commas */
  blanks: boolean;
  /** other names that mean the same */
  synonyms: string[];
}

export const inputTypeOf = (type: GraphQLInputType): GraphQLInputObjectType | null => {
  const present = getNullableType(type);
  return isInputObjectType(present) ? present : null;
};

/**
 * The fields of an input type, those of nested inputs too.
 * @param prefix the brackets' name; empty for fields without brackets
 * @param without fields that the path has
 */
export function sentOf(type: GraphQLInputObjectType, prefix: string, without: readonly string[] = []): Sent[] {
  return fieldsOf(type, without).flatMap((field): Sent[] => {
    const [name = "", ...synonyms] = namesOf(field).map((each) => (prefix ? `${prefix}[${each}]` : each));
    const required = isNonNullType(field.type);
    const nested = inputTypeOf(field.type);
    if (nested) return sentOf(nested, name).map((each) => ({ ...each, required: required && each.required }));
    const { separator } = field.extensions as Partial<ListExtension>;
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

/** A value of a query or a form, which is never null. */
export function valueOf(type: GraphQLInputType, components: Components): Schema {
  const present = getNullableType(type);
  if (isListType(present)) return { type: "array", items: valueOf(present.ofType, components) };
  return leafOf(getNamedType(present), components);
}

/** How a list is written as one text. */
export const styleOf = ({ type, blanks }: Sent): { style: string; explode: false } | null =>
  isListType(getNullableType(type)) ? { style: blanks ? "spaceDelimited" : "form", explode: false } : null;

/** An input type as a JSON object; files can't be in it. */
export function jsonOf(type: GraphQLInputObjectType, components: Components, without: readonly string[] = []): Schema {
  const fields = fieldsOf(type, without).filter((field) => !isFile(field.type));
  const properties = fields.map((field) => {
    const optional = !isNonNullType(field.type);
    const value = jsonValue(field.type, components);
    return [
      toSnake(field.name),
      { ...(optional ? nullable(value) : value), ...description(field.description), optional },
    ] as const;
  });
  return { ...objectOf(Object.fromEntries(properties)), ...description(type.description) };
}

function jsonValue(type: GraphQLInputType, components: Components): Schema {
  const present = getNullableType(type);
  if (isListType(present)) return { type: "array", items: jsonValue(present.ofType, components) };
  if (isInputObjectType(present)) return jsonOf(present, components);
  return leafOf(getNamedType(present), components);
}

export const isFile = (type: GraphQLInputType): boolean => getNamedType(type).name === "File";
