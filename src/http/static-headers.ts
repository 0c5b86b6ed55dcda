/** Headers of every response. */
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
