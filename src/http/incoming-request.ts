/** Requests as they arrive: in the forms that HTTP/1.1 allows besides the usual one, with headers and chunks that are bounded. */
import { IncomingMessage, type RequestListener } from "node:http";
import { written } from "./unparsed.js";

/**
 * A request whose `Upgrade` is ignored unless it is that of a WebSocket. Node takes every request with one out of HTTP, while
 * clients that prefer HTTP/2 (curl, Java) offer it with their first request, and expect an ordinary response from a server without it.
 */
export class IncomingRequest extends IncomingMessage {
  /** as the parser found it; without an initial value, since the constructor of Node sets it */
  declare private isUpgrade: boolean | null;

  get upgrade(): boolean | null {
    return this.isUpgrade && this.headers.upgrade?.toLowerCase() === "websocket" && hasOneHost(this);
  }

  set upgrade(isUpgrade: boolean | null) {
    this.isUpgrade = isUpgrade;
  }
}

/** The characters of a host and its port (RFC 3986, section 3.2.2). */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** Whether a request has the header `Host` not more than once, and in it a host: it becomes part of URLs in responses. */
function hasOneHost({ rawHeaders, headers: { host = "" } }: IncomingMessage): boolean {
  const isHost = (text: string, index: number) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === "host";
  return rawHeaders.filter(isHost).length <= 1 && HOST.test(host);
}

/**
 * The listener, called for requests with one `Host`. Others are refused, as HTTP/1.1 requires and Node refuses those without any: a proxy
 * may have chosen the board, or a copy in its cache, by the one that does not count here. So is CONNECT, whose body Node reads as the next
 * request: a proxy that passes it on as a body would have neither checked that request nor added the client's address.
 */
export function refuseAmbiguous(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (hasOneHost(request) && request.method !== "CONNECT") listener(request, response);
    else response.writeHead(400, { Connection: "close" }).end();
  };
}

/** A request line with a whole URL (`GET http://host/path`), as sent to proxies: its authority counts instead of the header `Host`. */
const WHOLE = /^https?:\/\/([^/?#@]+)(?=[/?]|$)/i;

/** Gives the request its path alone before anything reads it. */
export function useOriginForm(request: IncomingMessage): void {
  const { url = "" } = request;
  if (url.startsWith("/")) return;
  const [start = "", authority] = WHOLE.exec(url) ?? [];
  if (authority === undefined) return;
  const rest = url.slice(start.length);
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  request.headers.host = authority;
}

/**
 * Characters beyond which a header is ignored, since it takes longer to parse the longer it is. Preferences and validators may be ignored;
 * no client of ours sends such long types or cookies.
 */
const MOST_CHARACTERS = {
  accept: 1024,
  "accept-charset": 1024,
  "accept-encoding": 1024,
  "accept-language": 1024,
  "content-type": 1024,
  cookie: 8192,
  "if-modified-since": 1024,
  "if-none-match": 4096,
  range: 1024,
} as const;

/** A name and a key are far shorter, so that the truncated header still proves nothing: wrong credentials stay wrong. */
const MOST_AUTHORIZATION = 4096;

const BOUNDS = Object.entries(MOST_CHARACTERS) as [keyof typeof MOST_CHARACTERS, number][];

/** Limits the headers of a request before anything reads them. */
export function boundHeaders({ headers }: IncomingMessage): void {
  for (const [name, most] of BOUNDS) {
    if ((headers[name]?.length ?? 0) > most) delete headers[name];
  }
  if (headers.authorization) headers.authorization = headers.authorization.slice(0, MOST_AUTHORIZATION);
}

/** The number of chunks that a body may have, whatever their size. */
const MOST_SMALL = 1_000;
/** The minimum average size of the chunks of a body with more of them, in bytes. */
const LEAST_BYTES = 64;

/**
 * Disconnects a request whose body has very many very small chunks (`Transfer-Encoding: chunked`), each of which costs as much as a large
 * one: a megabyte of single bytes blocks the event loop for a fifth of a second. It is refused as Node itself refuses invalid chunks. To be
 * called before its body arrives.
 */
export function boundChunks(request: IncomingMessage): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  const push = request.push.bind(request);
  let [chunks, bytes, isRefused] = [0, 0, false];
  // called by Node's parser, once for each chunk, and with null at the end
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) return push(chunk, encoding);
    chunks += 1;
    bytes += chunk.length;
    if (isRefused) return false; // for chunks that were already read
    if (chunks <= MOST_SMALL || bytes >= chunks * LEAST_BYTES) return push(chunk, encoding);
    isRefused = true;
    const { socket } = request;
    socket.end(written(400), () => socket.destroy());
    return false;
  };
}
