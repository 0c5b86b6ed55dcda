/** The responses of an operation, by status. */
import type { Format } from "../adapter/envelope.js";
import { toDashed } from "../../src/lib/case.js";
import { failuresOf, mediaType, type Response } from "./failures.js";
import type { Operation } from "./operation.js";
import { type RecordSchema, recordOf } from "./records.js";
import { type Components, ref, type Schema } from "./schema.js";

const SUCCESS = { type: "boolean", const: true } satisfies Schema;

export const SUCCESS_SCHEMAS: Record<string, Schema> = {
  Success: {
    type: "object",
    description: "The envelope of a state-changing call.",
    properties: { success: SUCCESS, reason: { type: "string", description: "Empty." } },
    required: ["success", "reason"],
  },
  SuccessXml: {
    type: "object",
    description: "The envelope of a state-changing call: one empty element with attributes.",
    properties: {
      success: { ...SUCCESS, xml: { attribute: true } },
      reason: { type: "string", description: "Empty.", xml: { attribute: true } },
    },
    required: ["success", "reason"],
    xml: { name: "response" },
  },
};

export const HEADERS: Record<string, { description: string; schema: Schema }> = {
  Limit: { description: "Requests an hour.", schema: { type: "integer" } },
  Remaining: { description: "Requests left.", schema: { type: "integer" } },
  Reset: { description: "When the limit resets, in seconds since 1970.", schema: { type: "integer" } },
  RequestId: { description: "Id of the request in the board's log.", schema: { type: "string" } },
  RetryAfter: { description: "Seconds to wait before a retry.", schema: { type: "integer" } },
  Location: { description: "Path of the new record, without extension.", schema: { type: "string" } },
};

const ALWAYS = {
  "X-RateLimit-Limit": ref("headers", "Limit"),
  "X-RateLimit-Remaining": ref("headers", "Remaining"),
  "X-RateLimit-Reset": ref("headers", "Reset"),
  "X-Request-Id": ref("headers", "RequestId"),
};

/**
 * @param variants the operation, and those that a parameter selects instead
 * @param isCreate whether it creates a record that has a path of its own
 */
export function responsesOf(
  variants: readonly Operation[],
  isCreate: boolean,
  format: Format,
  components: Components,
): Record<string, Response | { $ref: string }> {
  const [operation] = variants;
  if (!operation) return {};
  const bodies = variants.map((variant) => bodyOf(variant, format, components));
  const success: Response = {
    description: operation.row.method === "GET" ? "The requested data." : "Done.",
    headers: { ...ALWAYS, ...(isCreate ? { Location: ref("headers", "Location") } : {}) },
    content: { [mediaType(format)]: { schema: bodies.length === 1 ? (bodies[0] as Schema) : { anyOf: bodies } } },
  };
  return { [String(operation.row.status ?? 200)]: success, ...failuresOf(operation, format) };
}

function bodyOf(operation: Operation, format: Format, components: Components): Schema {
  const { row, isList } = operation;
  if (row.method !== "GET" && format === "xml") return ref("schemas", "SuccessXml");
  const record = recordOf(operation, components);
  if (row.method !== "GET") return envelopeOf(record);
  const reference = record?.reference ?? { type: "object" };
  if (!isList) return reference;
  return { type: "array", items: reference, xml: { name: toDashed(row.plural), wrapped: true } };
}

/** The record within the envelope; its own `reason` replaces the envelope's. */
function envelopeOf(record: RecordSchema | null): Schema {
  if (!record) return ref("schemas", "Success");
  const envelope: Schema = record.fields.includes("reason")
    ? { type: "object", properties: { success: SUCCESS }, required: ["success"] }
    : ref("schemas", "Success");
  return { allOf: [envelope, record.reference] };
}
