/** Headers that are the same on every answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";
import type { Headers } from "./exchange.js";

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** What a middleware sets that looks at nothing of the request. */
function headersOf(middleware: Middleware): Headers {
  const headers: Headers = {};
  const response = {
    setHeader: (name: string, value: string) => void (headers[name] = value),
    removeHeader: () => undefined,
  };
  middleware({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}

/** Of what no page of ours says otherwise: an answer that a browser shows loads, runs and frames nothing. */
export const SECURITY_HEADERS: Readonly<Headers> = headersOf(
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: "cross-origin" },
    strictTransportSecurity: false,
  }),
);

/** What pages of other sites may see beside the body. */
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

/** Any site may read, without the cookies of its visitors. */
export const CORS_HEADERS: Readonly<Headers> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED.join(","),
};
