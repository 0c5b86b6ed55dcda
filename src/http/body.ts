import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import getRawBody from "raw-body";
import { failure } from "../errors.js";
import { withoutByteOrderMark } from "../lib/text.js";

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** The media type of the body in lower case, without its parameters; empty if there is none. */
export const contentTypeOf = ({ headers }: IncomingMessage): string =>
  (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/**
 * The whole body as text, without a byte order mark.
 * @param limit bytes; a longer body is not kept, and `respond.ts` discards the rest
 * @throws BoardError 424 for a body that is longer, truncated, or not in UTF-8, as in another encoding or compressed
 */
export async function readText(request: IncomingMessage, limit: number): Promise<string> {
  const length = request.headers["content-length"] ?? null;
  const bytes = await getRawBody(request, { length, limit }).catch(({ type }: getRawBody.RawBodyError) => {
    throw type === "entity.too.large" ? failure("body_too_large", { limit }) : failure("malformed_body");
  });
  if (!isUtf8(bytes)) throw failure("malformed_body");
  return withoutByteOrderMark(bytes.toString("utf8"));
}
