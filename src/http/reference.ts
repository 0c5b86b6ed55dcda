/**
 * The reference of the REST interface. Each of its sheets is made when it is first asked for, compressed once in each way, and
 * sent as it is from then on. They are the same for everybody, hence before what counts and checks requests.
 */
import { createHash } from "node:crypto";
import type { RequestHandler } from "express";
import type { Sheet } from "../../rest/openapi/sheets.js";
import { beginWork } from "./backpressure.js";
import { EncodedBody, preferredEncoding } from "./encoding.js";

/** Weak, because each encoding of the body has the same. */
const etagOf = (bytes: Buffer): string => `W/"${createHash("sha256").update(bytes).digest("base64url")}"`;

/** What is not worth compressing: pictures are compressed already. */
const isText = ({ headers }: Sheet): boolean => !headers["Content-Type"]?.startsWith("image/");

export function serveReference(sheets: readonly Sheet[]): RequestHandler {
  const byPath = new Map(sheets.map((sheet) => [sheet.path, sheet]));
  const bodies = new Map<Sheet, EncodedBody>();

  const bodyOf = (sheet: Sheet): EncodedBody => {
    const made = bodies.get(sheet);
    if (made) return made;
    const bytes = sheet.make();
    const body = new EncodedBody(bytes, etagOf(bytes));
    bodies.set(sheet, body);
    return body;
  };

  return async (request, response, next) => {
    const sheet = byPath.get(request.path.replace(/\/$/, ""));
    if (!sheet || (request.method !== "GET" && request.method !== "HEAD")) return next();
    await beginWork(request);
    const body = bodyOf(sheet);
    const wanted = isText(sheet) ? preferredEncoding(request.headers["accept-encoding"]) : null;
    const { bytes, encoding } = await body.in(wanted);
    response.vary("Accept-Encoding").set({ ...sheet.headers, ETag: body.etag });
    if (encoding !== null) response.set("Content-Encoding", encoding);
    response.send(bytes); // 304 to who has it already
  };
}
