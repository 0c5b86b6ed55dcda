import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";
import type { Headers } from "./exchange.js";

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** The headers set by a middleware that does not depend on the request. */
function headersOf(middleware: Middleware): Headers {
  const headers: Headers = {};
  const response = {
    setHeader: (name: string, value: string) => void (headers[name] = value),
    removeHeader: () => undefined,
  };
  middleware({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}

/** The default policy of responses other than our own pages: nothing is loaded, run or framed. */
export const SECURITY_HEADERS: Readonly<Headers> = headersOf(
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: "cross-origin" },
    strictTransportSecurity: false,
  }),
);

/** Headers that pages of other sites may read. */
const EXPOSED = [
  "Location",
  "Retry-After",
  "X-Api-Limit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "X-Unknown-Parameters",
];

/** Any site may read responses, without the cookies of its visitors. */
export const CORS_HEADERS: Readonly<Headers> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED.join(","),
};

/** The same for a response that is not for pages of other sites. */
export const NO_CORS: Readonly<Headers> = Object.fromEntries(Object.keys(CORS_HEADERS).map((name) => [name, ""]));

/**
 * The headers that a response begins with. Those that most responses have are there from the start: an object that grows by several
 * properties becomes a hash table, which takes ten times as long to fill and to read.
 */
export const FIRST_HEADERS: Readonly<Headers> = {
  ...SECURITY_HEADERS,
  ...CORS_HEADERS,
  "X-Request-Id": "",
  "X-RateLimit-Limit": "",
  "X-RateLimit-Remaining": "",
  "X-RateLimit-Reset": "",
  "X-Api-Limit": "",
  "Cache-Control": "",
  "Content-Type": "",
  "Server-Timing": "",
  ETag: "",
  Vary: "",
  "Content-Length": "",
};

/** The headers that have a value, as names and values in turns. */
export function listed(headers: Readonly<Headers>): (string | string[])[] {
  const list: (string | string[])[] = [];
  for (const name in headers) {
    const value = headers[name] as string | string[];
    if (value !== "") list.push(name, value);
  }
  return list;
}
