import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
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
export function readText(request: IncomingMessage, limit: number): Promise<string> {
  const tooLarge = () => failure("body_too_large", { limit });
  if (Number(request.headers["content-length"] ?? 0) > limit) return Promise.reject(tooLarge());
  if (request.destroyed) return Promise.reject(failure("malformed_body")); // its client has disconnected
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const keep = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) stop(() => reject(tooLarge()));
    };
    const end = () => {
      const bytes = Buffer.concat(chunks);
      if (isUtf8(bytes)) stop(() => resolve(withoutByteOrderMark(bytes.toString("utf8"))));
      else stop(() => reject(failure("malformed_body")));
    };
    const close = () => stop(() => reject(failure("malformed_body")));
    const stop = (settle: () => void) => {
      request.off("data", keep).off("end", end).off("close", close);
      request.pause();
      settle();
    };
    request.on("data", keep).once("end", end).once("close", close);
  });
}
