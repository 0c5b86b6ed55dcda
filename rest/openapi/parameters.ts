import { getNullableType, type GraphQLInputType } from "graphql";
import { toCamel } from "../../src/lib/case.js";
import { inputTypeOf, type Sent, sentOf, styleOf, valueOf } from "./inputs.js";
import { isRequired, type Operation, type Variable } from "./operation.js";
import { type Components, description, ref, type Schema } from "./schema.js";

export interface Parameter {
  name: string;
  in: "path" | "query";
  required?: true;
  description?: string;
  style?: string;
  explode?: false;
  schema: Schema;
}

type Reference = ReturnType<typeof ref>;

/** Parameters of every read. */
export const COMMON_PARAMETERS: Record<string, Parameter> = {
  only: {
    name: "only",
    in: "query",
    description: "The top-level fields to return, separated by commas.",
    style: "form",
    explode: false,
    schema: { type: "array", items: { type: "string" } },
  },
};

/** The parameters of an operation, and of the listings that its `choice` parameter selects instead. */
export function parametersOf(operation: Operation, components: Components): (Parameter | Reference)[] {
  const found = new Map(queryOf(operation, components).map((each) => [each.name, each]));
  for (const each of operation.others.flatMap((other) => queryOf(other, components)))
    if (!found.has(each.name)) found.set(each.name, onlyWith(each, operation));
  const common = operation.row.method === "GET" ? [ref("parameters", "only")] : [];
  return [...pathOf(operation), ...choiceOf(operation), ...found.values(), ...common];
}

/** A parameter of another listing of the path. */
function onlyWith(parameter: Parameter, { row: { choice } }: Operation): Parameter {
  const words = Object.keys(choice?.others ?? {}).join(", ");
  const { required: _, ...optional } = parameter;
  return {
    ...optional,
    description: `${parameter.description ?? ""} Only with \`${choice?.parameter}=${words}\`.`.trim(),
  };
}

function choiceOf({ row: { choice } }: Operation): Parameter[] {
  if (!choice) return [];
  return [
    {
      name: choice.parameter,
      in: "query",
      description: `What is listed; \`${choice.own}\` by default.`,
      schema: { type: "string", enum: [choice.own, ...Object.keys(choice.others)] },
    },
  ];
}

const NUMBER: Schema = { type: "integer", format: "int32", minimum: 0 };

function pathOf({ row, pathNames, variables }: Operation): Parameter[] {
  return pathNames.map((name) => {
    const byName = name === "id" && row.idOr !== undefined;
    const given = byName ? `The id, or the name instead.` : meaningOf(name, variables);
    const schema = byName ? { anyOf: [NUMBER, { type: "string" }] } : NUMBER;
    return { name, in: "path", required: true, ...description(given), schema };
  });
}

/** The description of the variable, or of the input's field, that a path parameter is passed to. */
function meaningOf(name: string, variables: readonly Variable[]): string {
  const own = variables.find((variable) => variable.name === name);
  if (own) return own.description;
  const input = variables.find((variable) => variable.name === "input");
  return (input && inputTypeOf(input.type)?.getFields()[toCamel(name)]?.description) ?? "";
}

/** Names of values that only the path can set. */
export const givenByPath = ({ pathNames, row: { idOr } }: Operation): string[] =>
  idOr ? [...pathNames, idOr] : pathNames;

/** The parameters of reads are in the query, those of writes in the body. */
function queryOf(operation: Operation, components: Components): Parameter[] {
  const hasBody = operation.row.method !== "GET";
  const taken = givenByPath(operation);
  return operation.variables
    .filter(({ name }) => !taken.includes(name) && !(hasBody && name === "input"))
    .flatMap((variable) => sentIn(variable, taken))
    .map((sent) => ({
      name: sent.name,
      in: "query",
      ...(sent.required ? { required: true } : {}),
      ...description([sent.description, ...sent.synonyms.map((name) => `\`${name}\` is the same.`)].join(" ")),
      ...styleOf(sent),
      schema: inQuery(sent.name, sent.type, components),
    }));
}

function sentIn(variable: Variable, taken: readonly string[]): Sent[] {
  const { name, type } = variable;
  const input = inputTypeOf(type);
  if (input) return sentOf(input, name === "input" ? "" : name, name === "input" ? taken : []);
  return [
    { name, type, required: isRequired(variable), description: variable.description, blanks: false, synonyms: [] },
  ];
}

/** The number of a page, or an id after `a` (records after it) or `b` (before it). */
const PAGE: Schema = { type: "string", pattern: "^[abAB]?\\d+$" };

const inQuery = (name: string, type: GraphQLInputType, components: Components): Schema =>
  name === "page" && String(getNullableType(type)) === "String" ? PAGE : valueOf(type, components);
