/** `/openapi.json` as a contract: the differences between it and actual requests and responses. */
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ResourceRow } from "../../rest/adapter/row.js";

export type Json = Record<string, unknown>;

export interface Described {
  operationId: string;
  security?: Json[];
  parameters?: { name?: string; in?: string; required?: boolean; schema?: Json; $ref?: string }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { $ref?: string; headers?: Json; content?: Record<string, { schema: Json }> }>;
}

export interface Document extends Json {
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, Json>>;
}

type Format = "json" | "xml";

export class Contract {
  private readonly ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  private readonly sealedComponents: Json;
  /** by the text of their schemas: most answers have a schema of others, and compiling one takes longer than a request */
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(readonly document: Document) {
    const schemas = Object.entries(document.components.schemas ?? {});
    this.sealedComponents = { schemas: Object.fromEntries(schemas.map(([name, each]) => [name, sealedInside(each)])) };
  }

  /** The operation of a row. */
  operation({ method, path }: Pick<ResourceRow, "method" | "path">, format: Format = "json"): Described | undefined {
    return this.document.paths[`${path.replace(/:(\w+)/g, "{$1}")}.${format}`]?.[method.toLowerCase()];
  }

  /** The schema of a response; undefined if the document has none for the status. */
  answerSchema(row: Pick<ResourceRow, "method" | "path">, status: number, format: Format = "json"): Json | undefined {
    return this.response(row, status, format)?.content?.[`application/${format}`]?.schema;
  }

  /** The description of a response, with references resolved. */
  private response(row: Pick<ResourceRow, "method" | "path">, status: number, format: Format = "json") {
    const response = this.operation(row, format)?.responses[String(status)];
    return response?.$ref ? (this.resolve(response.$ref) as typeof response) : response;
  }

  /** The headers of an answer that clients are meant to read, and the document does not have. */
  headerFaults(row: Pick<ResourceRow, "method" | "path">, status: number, headers: Headers): string[] {
    const known = Object.keys(this.response(row, status)?.headers ?? {});
    const exposed = headers.get("Access-Control-Expose-Headers")?.split(",") ?? [];
    return exposed.filter((name) => headers.has(name) && !known.includes(name)).map((name) => `has no header ${name}`);
  }

  /** The errors of a response; undocumented fields are errors too. */
  answerFaults(row: Pick<ResourceRow, "method" | "path">, status: number, body: unknown): string[] {
    const schema = this.answerSchema(row, status);
    return schema ? this.faults(status < 300 ? sealed(schema) : schema, body) : [`has no answer of status ${status}`];
  }

  /** The errors of a JSON body. */
  bodyFaults(row: Pick<ResourceRow, "method" | "path">, body: unknown): string[] {
    const schema = this.operation(row)?.requestBody?.content["application/json"]?.schema;
    return schema ? this.faults(sealed(schema), body) : ["has no body of JSON"];
  }

  /** The target of a reference. */
  resolve(reference: string): Json {
    const [, section = "", name = ""] = reference.replace("#/", "").split("/");
    return this.document.components[section]?.[name] ?? {};
  }

  private faults(schema: Json, value: unknown): string[] {
    const text = JSON.stringify(schema);
    const validate = this.validators.get(text) ?? this.ajv.compile({ ...schema, components: this.sealedComponents });
    this.validators.set(text, validate);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** The same schema without additional properties. */
function sealed(schema: Json): Json {
  if (Array.isArray(schema.anyOf)) return { anyOf: (schema.anyOf as Json[]).map(sealed) };
  if (schema.type === "array") return { ...schema, items: sealed(schema.items as Json) };
  return { allOf: [schema], unevaluatedProperties: false };
}

/** The same, with the objects in it sealed, and itself open, since envelopes are put around it. */
const sealedInside = (schema: Json): Json => ({
  ...schema,
  ...(schema.properties
    ? { properties: Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, closed(each)])) }
    : {}),
});

function closed(schema: Json): Json {
  const inner = sealedInside(schema);
  if (schema.items) inner.items = closed(schema.items as Json);
  return schema.properties ? { ...inner, additionalProperties: false } : inner;
}
