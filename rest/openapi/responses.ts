import { getNamedType, isObjectType, Kind } from "graphql";
import type { Format } from "../adapter/envelope.js";
import { toDashed } from "../../src/lib/case.js";
import { ALWAYS, failuresOf, mediaType, type Response } from "./failures.js";
import type { Operation } from "./operation.js";
import { type Components, description, objectOf, type Properties, ref, type Schema, toPascal } from "./schema.js";
import { operationOf } from "../adapter/execute.js";
import { hasSearch } from "../adapter/search-keys.js";
import { flatten } from "../adapter/views.js";
import { propertiesOf } from "./types.js";

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
  Existing: {
    description: "Path of the post that has the same file, without extension; absent for other duplicates.",
    schema: { type: "string" },
  },
  UnknownParameters: {
    description: "Unknown keys of the search, which were ignored, separated by commas; absent without any.",
    schema: { type: "string" },
  },
};

/** @param isCreate whether it creates a record that has a path of its own */
export function responsesOf(
  operation: Operation,
  isCreate: boolean,
  format: Format,
  components: Components,
): Record<string, Response | { $ref: string }> {
  const bodies = [operation, ...operation.others].map((each) => bodyOf(each, format, components));
  const success: Response = {
    description: operation.row.method === "GET" ? "The requested data." : "Done.",
    headers: {
      ...ALWAYS,
      ...(isCreate ? { Location: ref("headers", "Location") } : {}),
      ...(hasSearch(operationOf(operation.row.document))
        ? { "X-Unknown-Parameters": ref("headers", "UnknownParameters") }
        : {}),
    },
    content: { [mediaType(format)]: { schema: bodies.length === 1 ? (bodies[0] as Schema) : { anyOf: bodies } } },
  };
  return { "200": success, ...failuresOf(operation, format) };
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

interface RecordSchema {
  reference: Schema;
  fields: string[];
}

/** The record of a row, as a named schema; null for a write that returns only the envelope. */
function recordOf(operation: Operation, components: Components): RecordSchema | null {
  const properties = answered(operation, components);
  const fields = Object.keys(properties);
  if (fields.length === 0) return null;
  const { resource } = operation.row;
  const schema = { ...objectOf(properties), ...description(meaningOf(operation)), xml: { name: toDashed(resource) } };
  return { reference: components.add(schema, toPascal(resource), operation.name), fields };
}

/** The fields that the document selects (of a payload, those of its objects on one level), changed by the row's view. */
function answered(operation: Operation, components: Components): Properties {
  const { recordType, recordNode, fragments, isMutation, row } = operation;
  const { selectionSet } = recordNode;
  const selected = selectionSet ? propertiesOf(recordType, selectionSet, fragments, components) : {};
  const objects = Object.keys(selected).filter((name) => selected[name]?.properties);
  const record = isMutation ? (flatten(...objects).describe?.(selected) ?? selected) : selected;
  return row.view?.describe?.(record) ?? record;
}

/** The description of the record's type; for a payload, that of its only object. */
function meaningOf({ recordType, recordNode, isMutation }: Operation): string | null | undefined {
  const type = getNamedType(recordType);
  if (!isMutation || !isObjectType(type)) return type.description;
  const objects = (recordNode.selectionSet?.selections ?? []).flatMap((each) => {
    const field = each.kind === Kind.FIELD && each.selectionSet ? type.getFields()[each.name.value] : undefined;
    return field ? [getNamedType(field.type)] : [];
  });
  return (objects.length === 1 ? objects[0] : type)?.description;
}
