/** All inputs of the board: the parameters of REST from /openapi.json, the arguments of GraphQL from its schema. */
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";
import type { Target } from "./target.js";

export interface Parameter {
  method: string;
  path: string;
  /** as `search[name]` */
  name: string;
}

interface Described {
  parameters?: { name?: string; in?: string }[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> };
}

/** No record has it. */
const NO_RECORD = 2_147_483_647;

/** All parameters of all rows, but those in paths. */
export async function restParameters(target: Target): Promise<Parameter[]> {
  const { text } = await target.ask({ path: "/openapi.json" });
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths)
    .filter(([path]) => path.endsWith(".json"))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, described]) => {
        const id = method === "get" ? target.facts.post : NO_RECORD;
        const at = path.replace(/\{\w+\}/g, String(id));
        return namesOf(described).map((name) => ({ method: method.toUpperCase(), path: at, name }));
      }),
    );
}

function namesOf({ parameters = [], requestBody }: Described): string[] {
  const query = parameters.flatMap(({ name, in: place }) => (place === "query" && name ? [name] : []));
  const form = requestBody?.content["application/x-www-form-urlencoded"]?.schema.properties ?? {};
  return [...query, ...Object.keys(form)];
}

/** An operation of one root field, one of whose arguments, or a field of one, is the variable `$v`. */
export interface Argument {
  query: string;
  isMutation: boolean;
  type: GraphQLInputType;
  /** the variable's value, of a value for the place in it */
  around: (value: string) => string;
}

/** All arguments of all root fields, and all fields of those that are objects. Values are JSON, as text. */
export async function graphqlArguments(target: Target): Promise<Argument[]> {
  const { text } = await target.graphql(getIntrospectionQuery());
  const schema = buildClientSchema((JSON.parse(text) as { data: IntrospectionQuery }).data);
  return [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}).flatMap((field) => {
      const selection = isCompositeType(getNamedType(field.type)) ? " { __typename }" : "";
      const kind = root === schema.getMutationType() ? "mutation" : "query";
      return field.args.flatMap((argument) =>
        placesOf(argument).map(({ type, around }) => ({
          query: `${kind}($v: ${String(argument.type)}) { ${field.name}(${argumentsOf(field.args, argument)})${selection} }`,
          isMutation: kind === "mutation",
          type,
          around,
        })),
      );
    }),
  );
}

/** The argument itself; and of an object, each of its fields. */
function placesOf({ type }: GraphQLArgument): Pick<Argument, "type" | "around">[] {
  const named = getNamedType(type);
  const whole = { type, around: (value: string) => value };
  if (!isInputObjectType(named)) return [whole];
  const fields = Object.values(named.getFields());
  const needed = fields.filter(isRequiredInputField);
  const places = fields.map((field) => {
    const others = needed.filter((each) => each !== field).map((each) => `"${each.name}":${sample(each.type)}`);
    return {
      type: field.type,
      around: (value: string) => `{${[...others, `"${field.name}":${value}`].join(",")}}`,
    };
  });
  return [whole, ...places];
}

const argumentsOf = (all: readonly GraphQLArgument[], chosen: GraphQLArgument): string =>
  all
    .filter((each) => each === chosen || isRequiredArgument(each))
    .map((each) => `${each.name}: ${each === chosen ? "$v" : sample(each.type).replace(/"(\w+)":/g, "$1:")}`)
    .join(", ");

/** Some value of the type, as JSON. */
function sample(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sample(type.ofType);
  if (isListType(type)) return "[]";
  if (isEnumType(type)) return `"${type.getValues()[0]?.name ?? ""}"`;
  if (!isInputObjectType(type)) return type.name === "Int" ? String(NO_RECORD) : '"a"';
  const fields = Object.values(type.getFields()).filter(isRequiredInputField);
  return `{${fields.map((field) => `"${field.name}":${sample(field.type)}`).join(",")}}`;
}
