/** What is known of a request while it is answered, and told at its end to the log, the metrics and the trace. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, RequestHandler } from "express";
import { countStatements, type StatementCount } from "../database/statements.js";
import type { Route, Routes } from "../runtime/telemetry/routes.js";
import type { Telemetry } from "../runtime/telemetry/telemetry.js";
import type { Span, Tracing } from "../runtime/telemetry/tracing.js";

export interface RequestRecord extends StatementCount {
  /** its pattern, which is known for sure when it is answered: a POST may say that it is another method */
  readonly route: Route;
  readonly id: string;
  /** by `performance.now()` */
  readonly startedAt: number;
}

/** The client left before the answer was sent; by nginx's custom, for HTTP has no number for it. */
const CLIENT_CLOSED_REQUEST = 499;

/** The id of a request, once it is logged. */
export const requestIdOf = (request: Request): string => request.id as string;

/** Where a request has its record; in a WeakMap it would outlive many collections of garbage. */
const RECORD = Symbol("record");
type Recorded = object & { [RECORD]?: RequestRecord };

/** The record of a request; undefined before `recordRequest`. */
export const recordOf = (request: Recorded): RequestRecord | undefined => request[RECORD];

/** What is not to be read out of a request itself. */
interface Facts {
  /** as `X-Request-Id` has it */
  id: string;
  /** `http` or `https` */
  protocol: string;
}

/** Keeps the records of a server's requests, by whatever way they are answered. */
export class RequestRecorder {
  constructor(
    private readonly telemetry: Telemetry,
    private readonly routes: Routes,
  ) {}

  /** The record of a request that has just come; it is told of when the answer is over. */
  begin(request: IncomingMessage, response: ServerResponse, facts: Facts): RequestRecord {
    const { telemetry, routes } = this;
    const { requests } = telemetry.metrics;
    const { url = "" } = request;
    const span = telemetry.tracing ? begin(telemetry.tracing, request, facts) : undefined;
    const record: RequestRecord = {
      statements: 0,
      milliseconds: 0,
      id: facts.id,
      startedAt: performance.now(),
      span,
      get route() {
        return routes.of(request.method ?? "", url);
      },
    };
    (request as Recorded)[RECORD] = record;
    requests.inFlight += 1;
    response.once("close", () => {
      requests.inFlight -= 1;
      const { route } = record;
      const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST;
      requests.observe(route, status, (performance.now() - record.startedAt) / 1e3);
      if (span) end(span, record, status, response);
    });
    return record;
  }
}

/** Everything that a request does further on is recorded. */
export const recordRequest =
  (recorder: RequestRecorder): RequestHandler =>
  (request, response, next) =>
    countStatements(recorder.begin(request, response, { id: requestIdOf(request), protocol: request.protocol }), next);

/** Of the URL the path alone: the query may hold keys and what is nobody's business. */
function begin(
  tracing: Tracing,
  { method = "", url = "", headers: sent, httpVersion }: IncomingMessage,
  { id, protocol }: Facts,
): Span {
  const { traceparent, tracestate } = sent;
  const headers = { traceparent: textOf(traceparent), tracestate: textOf(tracestate) };
  const attributes = {
    "http.request.method": method,
    "url.path": url.split("?", 1)[0],
    "url.scheme": protocol,
    "network.protocol.version": httpVersion,
    "graphbooru.request.id": id,
  };
  return tracing.begin(method, "server", attributes, headers);
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(",") : header;

function end(span: Span, { route }: RequestRecord, status: number, response: ServerResponse): void {
  const { method, path } = route;
  span.rename(`${method} ${path}`);
  span.describe({
    "http.request.method": method === "OTHER" ? "_OTHER" : method,
    "http.route": path === "unmatched" ? undefined : path,
    "http.response.status_code": response.headersSent ? status : undefined,
  });
  span.end(status >= 500 || status === CLIENT_CLOSED_REQUEST ? String(status) : undefined);
}
