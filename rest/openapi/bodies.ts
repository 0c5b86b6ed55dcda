import type { GraphQLInputObjectType } from "graphql";
import { fieldsOf, inputTypeOf, isFile, jsonOf, type Sent, sentOf, styleOf, valueOf } from "./inputs.js";
import { isBracketed } from "../adapter/row.js";
import type { Operation } from "./operation.js";
import { givenByPath } from "./parameters.js";
import { type Components, description, objectOf, type Schema } from "./schema.js";

interface MediaType {
  schema: Schema;
  encoding?: Record<string, { style: string; explode: false }>;
}

export interface Body {
  description: string;
  required?: true;
  content: Record<string, MediaType>;
}

/** The body of an operation; null if it has none. */
export function bodyOf(operation: Operation, components: Components): Body | null {
  const { row, variables } = operation;
  const input = variables.find(({ name }) => name === "input");
  const type = input && inputTypeOf(input.type);
  if (!type || row.method === "GET") return null;
  const without = givenByPath(operation);
  if (fieldsOf(type, without).length === 0) return null;
  const scope = isBracketed(row) ? row.resource : "";
  const sent = sentOf(type, scope, without);
  return {
    description: scope
      ? `The attributes may also be outside the brackets: \`${sent[0]?.name.replace(/^[^[]*\[(\w+)\].*/, "$1")}\`.`
      : `The attributes may also be in brackets: \`${row.resource}[${sent[0]?.name}]\`.`,
    ...(sent.some(({ required }) => required) ? { required: true as const } : {}),
    content: contentOf(operation, type, sent, scope, without, components),
  };
}

function contentOf(
  { name }: Operation,
  type: GraphQLInputObjectType,
  sent: readonly Sent[],
  scope: string,
  without: readonly string[],
  components: Components,
): Record<string, MediaType> {
  const files = sent.filter((each) => isFile(each.type));
  const texts = sent.filter((each) => !isFile(each.type));
  const json = components.add(jsonOf(type, components, without), type.name, `${name}Input`);
  const needed = texts.some(({ required }) => required);
  const nested = scope ? objectOf({ [scope]: { ...json, optional: !needed } }) : json;
  return {
    ...(files.length > 0 ? { "multipart/form-data": formOf(sent, components) } : {}),
    ...(files.some(({ required }) => required)
      ? {}
      : {
          "application/x-www-form-urlencoded": formOf(texts, components),
          "application/json": { schema: nested },
        }),
  };
}

function formOf(sent: readonly Sent[], components: Components): MediaType {
  const properties = sent.map((each) => [
    each.name,
    { ...valueOf(each.type, components), ...description(each.description), optional: !each.required },
  ]);
  const encoding = sent.flatMap((each) => {
    const style = styleOf(each);
    return style ? [[each.name, style] as const] : [];
  });
  return {
    schema: objectOf(Object.fromEntries(properties) as Record<string, Schema>),
    ...(encoding.length > 0 ? { encoding: Object.fromEntries(encoding) } : {}),
  };
}
