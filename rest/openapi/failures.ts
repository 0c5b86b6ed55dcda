/** Named error responses: one for each status and format, with its reasons. */
import { type FailureCode, FAILURES, STATUS } from "../../src/errors.js";
import type { Format } from "../adapter/envelope.js";
import { inputTypeOf } from "./inputs.js";
import { mayBeMissing, type Operation } from "./operation.js";
import { ref, type Schema } from "./schema.js";

export interface Response {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema }>;
}

/** The name of each status in the interface, and its meaning. */
const WORDS: Record<FailureCode, readonly [name: string, meaning: string]> = {
  FORBIDDEN: ["Forbidden", "Access denied."],
  NOT_FOUND: ["NotFound", "Resource not found."],
  INVALID_RECORD: ["InvalidRecord", "Record could not be saved; `errors` has the messages by field."],
  THROTTLED: ["UserThrottled", "User is throttled; try again later."],
  LOCKED: ["Locked", "Resource is locked and cannot be modified."],
  ALREADY_EXISTS: ["AlreadyExists", "Resource already exists; `errors` has the message by field, if one is to blame."],
  INVALID_PARAMETERS: [
    "InvalidParameters",
    "The given parameters were invalid; `errors` has the messages by parameter, if one is invalid.",
  ],
  INTERNAL: ["InternalServerError", "Unknown server error."],
  UNAVAILABLE: ["ServiceUnavailable", "Server cannot handle the request now; try again later."],
};

/** The headers of all responses. */
export const ALWAYS = {
  "X-RateLimit-Limit": ref("headers", "Limit"),
  "X-RateLimit-Remaining": ref("headers", "Remaining"),
  "X-Api-Limit": ref("headers", "Remaining"),
  "X-RateLimit-Reset": ref("headers", "Reset"),
  "X-Request-Id": ref("headers", "RequestId"),
};

/** The headers of some errors. */
const HEADERS_OF: Partial<Record<FailureCode, Response["headers"]>> = {
  THROTTLED: { "Retry-After": ref("headers", "RetryAfter") },
  ALREADY_EXISTS: { Location: ref("headers", "Existing") },
  UNAVAILABLE: { "Retry-After": ref("headers", "RetryAfter") },
};

const CODES = Object.keys(STATUS) as FailureCode[];
export const FORMATS = ["json", "xml"] as const satisfies Format[];

const nameOf = (code: FailureCode, format: Format): string => `${WORDS[code][0]}${format === "xml" ? "Xml" : ""}`;

/** `application/json` or `application/xml`. */
export const mediaType = (format: Format): string => `application/${format}`;

const SUCCESS = { type: "boolean", const: false } satisfies Schema;
const REASON: Schema = { type: "string", description: "The reason, one of a fixed list." };

export const FAILURE_SCHEMAS: Record<string, Schema> = {
  Failure: {
    type: "object",
    description: "An error. Some have further fields, such as `post_id` and `location` of a duplicate.",
    properties: {
      success: SUCCESS,
      reason: REASON,
      message: { type: "string", description: "The same as `reason`." },
      errors: {
        type: "object",
        description:
          "Messages by field for records that could not be saved and for taken names, and by parameter for missing or invalid ones.",
        additionalProperties: { type: "array", items: { type: "string" } },
      },
    },
    required: ["success", "reason", "message"],
    additionalProperties: true,
  },
  FailureXml: {
    type: "object",
    description: "An error: one empty element with attributes.",
    properties: {
      success: { ...SUCCESS, xml: { attribute: true } },
      reason: { ...REASON, xml: { attribute: true } },
    },
    required: ["success", "reason"],
    xml: { name: "response" },
  },
};

/** All error responses in both formats. */
export const failureResponses = (): Record<string, Response> =>
  Object.fromEntries(
    CODES.flatMap((code) => FORMATS.map((format) => [nameOf(code, format), responseOf(code, format)])),
  );

function responseOf(code: FailureCode, format: Format): Response {
  const reasons = Object.values(FAILURES).filter((row) => row.code === code);
  const listed = reasons.map(({ reason }) => `* \`${reason}\``).join("\n");
  return {
    description: `${WORDS[code][1]} Reasons:\n\n${listed}`,
    headers: { ...ALWAYS, ...HEADERS_OF[code] },
    content: { [mediaType(format)]: { schema: ref("schemas", format === "xml" ? "FailureXml" : "Failure") } },
  };
}

/** The error responses of an operation, by status. */
export const failuresOf = (operation: Operation, format: Format): Record<string, { $ref: string }> =>
  Object.fromEntries(
    CODES.filter((code) => mayMeet(operation, code)).map((code) => [
      String(STATUS[code]),
      ref("responses", nameOf(code, format)),
    ]),
  );

function mayMeet(operation: Operation, code: FailureCode): boolean {
  const { method } = operation.row;
  const saves = method !== "GET" && operation.variables.length > 0;
  if (code === "NOT_FOUND") return namesRecord(operation) || mayBeMissing(operation);
  if (code === "INVALID_RECORD" || code === "LOCKED") return saves;
  if (code === "ALREADY_EXISTS") return saves && method !== "DELETE";
  return true;
}

/** Whether the operation identifies a record by id, in the path or in a parameter; of those of a search only `ofPost` must exist. */
function namesRecord({ pathNames, variables }: Operation): boolean {
  if (pathNames.length > 0) return true;
  return variables.some(({ name: variable, type }) =>
    Object.keys(inputTypeOf(type)?.getFields() ?? {}).some(
      (name) => name === "ofPost" || (variable === "input" && (name === "id" || name.endsWith("Id"))),
    ),
  );
}
