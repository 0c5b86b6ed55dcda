/**
 * The schema in the spelling of the REST interface: the same types and resolvers, but enums are the words and
 * letters that the services use (`s`, not `SAFE`), and times have milliseconds and a numeric offset.
 */
import {
  type GraphQLEnumType,
  GraphQLScalarType,
  type GraphQLSchema,
  isEnumType,
  isScalarType,
  valueFromASTUntyped,
} from "graphql";
import { MapperKind, mapSchema } from "@graphql-tools/utils";

/** Extensions of types and input fields about their spelling in REST. */
export interface Spelling {
  /** of a scalar that replaces an enum: its values */
  words?: unknown[];
  /** of a field: other names by which it may be sent */
  synonyms?: string[];
  /** of a field that is a list: the separator if it is sent as one text; by default a comma */
  separator?: RegExp;
}

/** `Z` or a missing fraction breaks clients, hence `2026-01-02T03:04:05.678+00:00`. */
const formatTime = (value: unknown): unknown =>
  value instanceof Date ? `${value.toISOString().slice(0, -1)}+00:00` : value;

const asIs = (value: unknown): unknown => value;

export const restSchema = (schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.TYPE]: (type) => {
      if (isEnumType(type) && !type.name.startsWith("__")) return wordsOf(type);
      if (!isScalarType(type) || type.name !== "DateTimeISO") return type;
      return new GraphQLScalarType({ ...type.toConfig(), serialize: formatTime });
    },
  });

/** A scalar in place of an enum: the services' values are passed through. */
function wordsOf(type: GraphQLEnumType): GraphQLScalarType {
  return new GraphQLScalarType({
    name: type.name,
    description: type.description,
    serialize: asIs,
    parseValue: asIs,
    parseLiteral: valueFromASTUntyped,
    extensions: { words: type.getValues().map((each) => each.value as unknown) } satisfies Spelling,
  });
}
