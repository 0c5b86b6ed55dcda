/** The envelope around a record: of state-changing calls, and of all errors. */
import Negotiator from "negotiator";
import type { BoardError } from "../../src/errors.js";
import type { Pieces } from "../../src/lib/pieces.js";
import type { Json } from "./row.js";
import { envelopeXml } from "./xml.js";

export type Format = "json" | "xml";

const CONTENT_TYPE: Readonly<Record<Format, string>> = {
  json: "application/json; charset=utf-8",
  xml: "application/xml; charset=utf-8",
};

export interface RestAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Pieces;
}

export const success = (status: number, format: Format, body: string | Pieces): RestAnswer => ({
  status,
  headers: { "Content-Type": CONTENT_TYPE[format] },
  body,
});

/** A successful write: `success`, an empty `reason` and the record, whose own `reason` wins. XML has no record. */
export function successAnswer(status: number, format: Format, record: Json): RestAnswer {
  const body =
    format === "xml"
      ? envelopeXml({ success: true, reason: "" })
      : JSON.stringify({ success: true, reason: "", ...record });
  return success(status, format, body);
}

/** A refusal, of reads too. `message` is the same text as `reason`: clients read either. */
export function failureAnswer(format: Format, error: BoardError): RestAnswer {
  const { reason, fields, extra, status, retryAfter } = error;
  const body =
    format === "xml"
      ? envelopeXml({ success: false, reason, ...extra })
      : JSON.stringify({ success: false, reason, message: reason, ...(fields ? { errors: fields } : {}), ...extra });
  const answer = success(status, format, body);
  if (retryAfter !== undefined) answer.headers["Retry-After"] = String(retryAfter);
  if (typeof extra.location === "string") answer.headers.Location = extra.location;
  return answer;
}

const TYPES = ["application/json", "application/xml", "text/xml"];

/** The format that a path names by its extension; null without one. */
export const extensionOf = (path: string): Format | null =>
  (/\.(json|xml)$/i.exec(path)?.[1]?.toLowerCase() as Format | undefined) ?? null;

/** The format of a response whose path names none: by Accept, else JSON. */
export function formatOf(accept: string | undefined): Format {
  if (accept === undefined) return "json";
  return new Negotiator({ headers: { accept } }).mediaType(TYPES)?.endsWith("xml") ? "xml" : "json";
}
