/**
 * The schema in the spelling of the REST interface: the same types and resolvers, but enums go in and out as the words and
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

/** Extension of a scalar that stands for an enum: its values, as REST spells them. */
export interface EnumExtension {
  words: unknown[];
}

/** Extension of an input field: other names that it may be sent by. */
export interface SynonymExtension {
  synonyms: string[];
}

/** Extension of an input field that is a list: what separates its items where they come as one text; absent: commas. */
export interface ListExtension {
  separator: RegExp;
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

/** A scalar in the place of an enum: what the services use passes through as it is. */
function wordsOf(type: GraphQLEnumType): GraphQLScalarType {
  const extensions = { words: type.getValues().map((each) => each.value as unknown) } satisfies EnumExtension;
  return new GraphQLScalarType({
    name: type.name,
    description: type.description,
    serialize: asIs,
    parseValue: asIs,
    parseLiteral: valueFromASTUntyped,
    extensions: { ...extensions },
  });
}
