/**
 * Parameters: the query and the body (urlencoded, multipart or JSON), with bracket names or the same nesting, merged; the
 * body wins. What comes out has own properties only, at most five levels of them.
 */
import type { Request } from "express";
import qs from "qs";
import { failure } from "../../src/errors.js";
import { readMultipart, type ReceiveFile } from "./multipart.js";

export type Params = Record<string, unknown>;

const MAX_DEPTH = 5;
const MAX_PARAMETERS = 1000;

export interface BodyLimits {
  /** bytes of a body without files */
  maxBody: number;
  /** bytes of a whole multipart body */
  maxMultipart: number;
}

/** @throws BoardError 424 for too many or too deeply nested names */
export function parseBrackets(text: string): Params {
  try {
    return qs.parse(text, {
      depth: MAX_DEPTH,
      strictDepth: true,
      parameterLimit: MAX_PARAMETERS,
      arrayLimit: MAX_PARAMETERS,
      throwOnLimitExceeded: true,
      plainObjects: true,
    });
  } catch (error) {
    if (error instanceof RangeError) throw failure("too_many_parameters", {}, { cause: error });
    throw failure("malformed_body", {}, { cause: error });
  }
}

export const queryParams = (request: Request): Params => {
  const mark = request.originalUrl.indexOf("?");
  return mark < 0 ? {} : parseBrackets(request.originalUrl.slice(mark + 1));
};

/**
 * The parameters of the body; none for a body of a type that carries no parameters.
 * @throws BoardError 424 for malformed or too large bodies
 */
export async function bodyParams(request: Request, limits: BodyLimits, receive: ReceiveFile): Promise<Params> {
  if (request.headers["transfer-encoding"] === undefined && !Number(request.headers["content-length"])) return {};
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type === "multipart/form-data") return readMultipart(request, limits.maxMultipart, receive);
  const body = await readBody(request, limits.maxBody);
  if (type === "application/json" || type?.endsWith("+json")) return parseJson(body);
  return type === "application/x-www-form-urlencoded" || type === "" ? parseBrackets(body) : {};
}

/** The whole body as text. A body over the limit is read to its end without being kept, so that the refusal is heard. */
async function readBody(request: Request, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    if (size > DRAIN_FACTOR * limit + DRAIN_BYTES) break;
  }
  if (size > limit) throw failure("body_too_large", { limit });
  return Buffer.concat(chunks).toString("utf8");
}

/** How far a body that is too large is read at the most, before the connection is simply closed. */
const DRAIN_FACTOR = 2;
const DRAIN_BYTES = 512 * 1024 * 1024;

function parseJson(text: string): Params {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw failure("malformed_body", {}, { cause: error });
  }
  if (!isNesting(value)) throw failure("malformed_body");
  return value;
}

export const isNesting = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Both, deeply; where they differ the second wins. */
export function mergeParams(first: Params, second: Params): Params {
  const merged: Params = Object.assign(Object.create(null) as Params, first);
  for (const [key, value] of Object.entries(second)) {
    const other = own(merged, key);
    merged[key] = isNesting(other) && isNesting(value) ? mergeParams(other, value) : value;
  }
  return merged;
}

/** A property of the object itself, never of its prototype. */
export const own = (params: Params, key: string): unknown => (Object.hasOwn(params, key) ? params[key] : undefined);
