import { toCamel, toSnake, upperFirst } from "../../src/lib/case.js";

/** The parts of OpenAPI 3.1 and JSON Schema 2020-12 that the description uses. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  contentMediaType?: string;
  description?: string | undefined;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  xml?: { name?: string; attribute?: boolean; wrapped?: boolean };
}

/** A field of a record. */
export interface Property extends Schema {
  optional?: boolean;
}

/** The fields of a record by their names in responses. */
export type Properties = Record<string, Property>;

export const ref = (section: string, name: string): { $ref: string } => ({ $ref: `#/components/${section}/${name}` });

export function objectOf(properties: Properties, description?: string): Schema {
  const entries = Object.entries(properties);
  const required = entries.filter(([, { optional }]) => !optional).map(([name]) => name);
  return {
    type: "object",
    ...(description ? { description } : {}),
    properties: Object.fromEntries(entries.map(([name, property]) => [name, schemaOf(property)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function schemaOf(property: Property): Schema {
  const { optional: _, ...schema } = property;
  return schema;
}

export function nullable(schema: Schema): Schema {
  if (schema.$ref || typeof schema.type !== "string") return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [schema.type, "null"] };
}

/** Named schemas, in the order of their first use; equal ones are stored once. */
export class Components {
  readonly schemas: Record<string, Schema> = {};
  private readonly texts = new Map<string, string>();

  /**
   * Adds a schema.
   * @param names candidates for its name; the first one that no other schema has is used
   * @returns a reference to it
   */
  add(schema: Schema, ...names: string[]): Schema {
    const text = JSON.stringify(schema);
    const free = names.find((name) => (this.texts.get(name) ?? text) === text);
    const name = free ?? `${names.at(-1) ?? "Schema"}${this.texts.size}`;
    this.texts.set(name, text);
    this.schemas[name] = schema;
    return ref("schemas", name);
  }
}

/** Arguments of lists whose parameters have another name. */
const RENAMED: Record<string, string> = { first: "limit" };

/** A description with its names (`postId`) in snake case (`post_id`). */
export const respelled = (text: string | null | undefined): string =>
  (text ?? "").replace(/`([a-z][A-Za-z]*)`/g, (_, name: string) => `\`${respelledName(name)}\``);

function respelledName(name: string): string {
  if (/^revert[A-Z]/.test(name)) return "revert"; // the last word of the path
  return RENAMED[name] ?? toSnake(name);
}

/** Respelled, and absent rather than empty. */
export const description = (text: string | null | undefined): { description?: string } =>
  text ? { description: respelled(text) } : {};

/** The first sentence, without its full stop. */
export const summaryOf = (text: string): string => (/^[^]*?(?=\.(\s|$)|$)/.exec(text)?.[0] ?? text).trim();

/** `post_version` -> `PostVersion` */
export const toPascal = (name: string): string => upperFirst(toCamel(name));

/** `post_versions` -> `Post versions` */
export const toTitle = (name: string): string => upperFirst(name.replaceAll("_", " "));
