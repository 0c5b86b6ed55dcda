/** Writes all responses except streamed files: the head once, ETag and 304, the encoding, `Server-Timing`. */
import etag from "etag";
import fresh from "fresh";
import type { IncomingMessage, ServerResponse } from "node:http";
import { STATUS_NAMES } from "../errors.js";
import { andThen, type MaybePromise } from "../lib/maybe-promise.js";
import { Pieces } from "../lib/pieces.js";
import { type Body, type Encoded, EncodedBody, PiecedBody } from "./encoding.js";
import { type Answer, type Exchange, type Headers, STREAMED } from "./exchange.js";
import { listed } from "./static-headers.js";

/** A response that may have no `Content-Length`, not even 0. */
const NO_CONTENT = 204;

/** Sends the response of an exchange, unless its client has disconnected. */
export const respond = (exchange: Exchange, answer: Answer): MaybePromise<void> =>
  answer === STREAMED ? undefined : andThen(represent(exchange, answer), (represented) => send(exchange, represented));

function send(exchange: Exchange, { status, headers, content, release }: Representation): void {
  const { request, response } = exchange;
  exchange.endWork(content?.length ?? 0);
  if (response.headersSent || response.destroyed) return;
  if (!request.complete) discardUnread(request, response);
  response.writeHead(status, STATUS_NAMES[status], listed(headers));
  if (content === null || exchange.method === "HEAD") response.end();
  else response.end(content, release);
}

interface Representation {
  status: number;
  headers: Headers;
  content: Buffer | null;
  release?: (() => void) | undefined;
}

/** The response as sent, by the request's headers (encoding, conditions); without a promise unless it is compressed. */
function represent(exchange: Exchange, { status, headers: own, body }: Answer): MaybePromise<Representation> {
  const { headers } = exchange;
  Object.assign(headers, own);
  if (exchange.board.config.SERVER_TIMING)
    headers["Server-Timing"] = `db;dur=${exchange.scope.milliseconds.toFixed(3)}`;
  if (body === null) {
    if (exchange.vary !== "") headers.Vary = exchange.vary;
    headers["Content-Length"] = status === NO_CONTENT ? "" : "0";
    return { status, headers, content: null };
  }
  const whole = bodyOf(body);
  headers.ETag = whole.etag;
  headers.Vary = exchange.vary === "" ? "Accept-Encoding" : `${exchange.vary}, Accept-Encoding`;
  if (hasAlready(exchange, status, whole)) {
    headers["Content-Type"] = "";
    return { status: 304, headers, content: null };
  }
  const encoded = whole.in(exchange.header("accept-encoding"));
  const asSent = ({ content, encoding, release }: Encoded): Representation => {
    if (encoding !== null) headers["Content-Encoding"] = encoding;
    headers["Content-Length"] = String(content.length);
    return { status, headers, content, release };
  };
  return andThen(encoded, asSent);
}

function bodyOf(body: string | Pieces | Body): Body {
  if (body instanceof Pieces) return new PiecedBody(body);
  if (typeof body !== "string") return body;
  const bytes = Buffer.from(body);
  return new EncodedBody(bytes, etag(bytes, { weak: true }));
}

const hasAlready = ({ method, request }: Exchange, status: number, body: Body): boolean =>
  (method === "GET" || method === "HEAD") &&
  status >= 200 &&
  status < 300 &&
  fresh(request.headers, { etag: body.etag });

/** Bytes of a body that are read after the response. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Bytes that are read without pause; the rest is read in parts with a pause after each. */
const BYTES_AT_ONCE = 1024 * 1024;
const PAUSE_MS = 5;

/**
 * Reads and discards the rest of a body when its request is answered, since a client that is still sending reads the response only then.
 * Then, or beyond a limit, the connection is closed: a proxy whose client has left would send the next request as a part of this body.
 * To be called before the response is sent.
 */
function discardUnread(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  // before Node's own listener, which would read on without a limit
  response.prependOnceListener("finish", () => {
    if (request.complete || request.destroyed) return;
    const { socket } = request;
    const close = socket.destroySoon.bind(socket);
    socket.destroySoon = () => undefined; // Node would reset the connection, and the response be lost
    request.once("end", close);
    let size = 0;
    request.unpipe();
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) request.destroy();
      else if (size > BYTES_AT_ONCE) {
        request.pause();
        setTimeout(() => request.resume(), PAUSE_MS);
      }
    });
    request.read(0);
    request.resume();
  });
}
