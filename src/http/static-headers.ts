/** Headers that are the same on every answer, asked of their middlewares once. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import cors from "cors";
import helmet from "helmet";

/** Any site may read, without the cookies of its visitors; what else than the body it may see. */
export const CORS = {
  origin: "*",
  exposedHeaders: [
    "Location",
    "Retry-After",
    "X-Api-Limit",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-Request-Id",
    "X-Unknown-Parameters",
  ],
};

type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** What a middleware sets on a GET, that looks at nothing else of the request. */
function headersOf(middleware: Middleware): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  const response = {
    setHeader: (name: string, value: string) => void (headers[name] = value),
    getHeader: (name: string) => headers[name],
    removeHeader: () => undefined,
  };
  const request = { method: "GET", headers: {} };
  middleware(request as never, response as never, () => undefined);
  return headers;
}

/** Of what no page of ours says otherwise: an answer that a browser shows loads, runs and frames nothing. */
export const SECURITY_HEADERS: Readonly<OutgoingHttpHeaders> = headersOf(
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: "cross-origin" },
    strictTransportSecurity: false,
  }),
);

/** What any page may see of a read. */
export const CORS_HEADERS: Readonly<OutgoingHttpHeaders> = headersOf(cors(CORS) as Middleware);

export const securityHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value as string);
  next();
};
