/** The words that the API description is written in: as much of OpenAPI 3.1 and JSON Schema 2020-12 as it needs. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  contentMediaType?: string;
  title?: string;
  description?: string | undefined;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
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
  /** some answers don't have it */
  optional?: boolean;
}

/** The fields of a record by their names in the answer. */
export type Properties = Record<string, Property>;

export const ref = (section: string, name: string): { $ref: string } => ({ $ref: `#/components/${section}/${name}` });

/** The object of these fields. */
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
  const { ...schema } = property;
  delete schema.optional;
  return schema;
}

/** The same, or null. */
export function nullable(schema: Schema): Schema {
  if (schema.$ref || typeof schema.type !== "string") return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [schema.type, "null"] };
}

/** Schemas that have names, in the order in which they are met; equal ones are one. */
export class Components {
  readonly schemas: Record<string, Schema> = {};
  private readonly texts = new Map<string, string>();

  /**
   * Files a schema.
   * @param names what to call it; a later name is taken where another schema has the one before
   * @returns the reference to it
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
