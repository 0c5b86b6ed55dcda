/** What is answered around a record: the envelope of state-changing calls, and refusals of every call. */
import type { Request, Response } from "express";
import type { BoardError } from "../../src/errors.js";
import type { Json } from "./row.js";
import { envelopeXml } from "./xml.js";

export type Format = "json" | "xml";

export const CONTENT_TYPE: Readonly<Record<Format, string>> = {
  json: "application/json; charset=utf-8",
  xml: "application/xml; charset=utf-8",
};

export function send(response: Response, status: number, format: Format, body: string | Buffer): void {
  response.status(status).type(CONTENT_TYPE[format]).send(body);
}

/** A write that went well: `success`, an empty `reason` and the record, whose own `reason` wins. XML has no record. */
export function sendSuccess(response: Response, format: Format, status: number, record: Json): void {
  const body =
    format === "xml"
      ? envelopeXml({ success: true, reason: "" })
      : JSON.stringify({ success: true, reason: "", ...record });
  send(response, status, format, body);
}

/** A refusal, of reads too. `message` is the same text as `reason`: clients read either. */
export function sendFailure(response: Response, format: Format, error: BoardError): void {
  const { reason, fields, extra, status, retryAfter } = error;
  if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
  if (typeof extra.location === "string") response.set("Location", extra.location);
  const body =
    format === "xml"
      ? envelopeXml({ success: false, reason, ...extra })
      : JSON.stringify({ success: false, reason, message: reason, ...(fields ? { errors: fields } : {}), ...extra });
  send(response, status, format, body);
}

/** The format that a request wants: its extension, else what it says that it accepts, else JSON. */
export function formatOf(request: Request): Format {
  const extension = /\.(json|xml)$/i.exec(request.path)?.[1]?.toLowerCase();
  if (extension) return extension as Format;
  return request.accepts(["json", "xml"]) === "xml" ? "xml" : "json";
}
