/** The parameters of a row by the types of its document, and invalid values of each type. */
import {
  getNullableType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
} from "graphql";
import { toSnake } from "../../src/lib/case.js";
import { operationOf } from "../../rest/adapter/execute.js";
import type { ResourceRow } from "../../rest/adapter/row.js";
import { sharedSchema } from "../../src/http/server.js";
import { RATINGS } from "../../src/tagging/rating.js";
import type { Params, Value } from "./client.js";

/** A parameter of a row. */
export interface Field {
  /** `["search", "post_id"]` */
  path: readonly string[];
  type: GraphQLInputType;
}

/** `search[post_id]` */
export const nameOf = (path: readonly string[]): string =>
  path.map((part, index) => (index === 0 ? part : `[${part}]`)).join("");

/** All parameters of a row except those in its path: nested ones, and their parents. */
export function parametersOf(row: ResourceRow): Field[] {
  const inPath = new Set([...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  return (operationOf(row.document).variableDefinitions ?? []).flatMap((definition) => {
    const name = definition.variable.name.value;
    const type = typeFromAST(sharedSchema(), definition.type) as GraphQLInputType;
    const fields = name === "input" ? within({ path: [row.resource], type }) : withNested({ path: [name], type });
    return fields.filter(({ path }) => ![...inPath, row.idOr].includes(path.at(-1)));
  });
}

const within = ({ path, type }: Field): Field[] => {
  const object = getNullableType(type);
  if (!isInputObjectType(object)) return [];
  const fields = Object.values(object.getFields());
  return fields.flatMap((field) => withNested({ path: [...path, toSnake(field.name)], type: field.type }));
};

const withNested = (field: Field): Field[] => [field, ...within(field)];

export const isRequired = ({ type }: Field): boolean => isNonNullType(type);

/** The name in the error if a required parameter is missing: its first required part, if it has nested ones. */
export const lackedBy = (field: Field): readonly string[] => within(field).find(isRequired)?.path ?? field.path;

/** The name of its type, without the mark that it is required. */
export const typeOf = ({ type }: Field): string => getNullableType(type).toString();

/** The parameters with another value for one of them; undefined removes it. */
export function withValue(params: Params, [name = "", ...rest]: readonly string[], value: Value): Params {
  if (rest.length === 0) return { ...params, [name]: value };
  return { ...params, [name]: withValue((params[name] ?? {}) as Params, rest, value) };
}

/** An invalid value, and the expected error. */
export interface Wrong {
  value: Value;
  message: string;
}

const INVALID = "is invalid";
const OUTSIDE = "must be between -2147483647 and 2147483647";
const invalid = (values: Value[]): Wrong[] =>
  values.map((value) => ({ value, message: TOO_LARGE.includes(value as string) ? OUTSIDE : INVALID }));
const NESTED: Value = { a: { b: "1" } };

/** Numbers that an Int can't hold: of 32 bits, of 64 bits, and of more than any float. */
export const TOO_LARGE = ["2147483648", "-2147483649", "9223372036854775808", `1${"0".repeat(400)}`];

const WRONG_SCALARS: Record<string, Value[]> = {
  Int: ["seven", "1.5", "0x1f", "true", "-2147483649", "2147483648", ["1"]],
  Float: ["seven", "1,5", "Infinity", ["1"]],
  Boolean: ["maybe", "2", ["true"]],
  String: [["text"]],
};

/** Values of other types than the parameter's. */
export function wrongValuesOf(field: Field): Wrong[] {
  const type = getNullableType(field.type);
  if (isInputObjectType(type)) return invalid(["text", ["text"]]);
  if (isListType(type)) return wrongItemsOf(field, type.ofType);
  if (isEnumType(type)) {
    const words = type.name === "Rating" ? Object.values(RATINGS) : type.getValues().map(({ value }) => String(value));
    const message = `must be one of ${words.join(", ")}`;
    return [...["nonsense", "-7"].map((value) => ({ value, message })), ...invalid([["x"], NESTED])];
  }
  if (type.name === "File") return [];
  const values = WRONG_SCALARS[type.name];
  if (!values) throw new Error(`no wrong values are known of the type ${type.name}`);
  // a limit that is too large is clamped
  const isClamped = nameOf(field.path) === "limit";
  return invalid([...values, NESTED].filter((value) => !isClamped || value !== TOO_LARGE[0]));
}

/** In a search, invalid numbers match nothing and are not an error. */
function wrongItemsOf({ path }: Field, item: GraphQLInputType): Wrong[] {
  const inner = wrongValuesOf({ path, type: item }).filter(({ value }) => typeof value === "string");
  const isLenient = path[0] === "search" && typeOf({ path, type: item }) === "Int";
  return [...(isLenient ? [] : inner), ...invalid([NESTED])];
}
