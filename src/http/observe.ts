/**
 * Observes every request: its id in `X-Request-Id`, one line of log, metrics, and a span if traces are on. The following steps run
 * in the request's scope.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Span, Tracing } from "../runtime/telemetry/tracing.js";
import { describeRequest, type Exchange, type Step } from "./exchange.js";

const GIVEN_ID = /^[\w.-]{1,64}$/;

/** The request id set by a proxy, if it is a plain word, or a new one. */
export function chooseRequestId({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && GIVEN_ID.test(given) ? given : randomUUID();
}

/** The client disconnected before the response was sent; nginx's status, since HTTP has none for it. */
const CLIENT_CLOSED_REQUEST = 499;

/** Requests that are not logged: health checks, and successful scrapes by Prometheus. */
const isSilent = ({ path }: Exchange, status: number): boolean =>
  path === "/healthz" || path === "/readyz" || (path === "/metrics" && status === 200);

export const observe: Step = (exchange, next) => {
  const { board, scope, request, response, id } = exchange;
  const { metrics, tracing } = board.telemetry;
  const span = tracing ? beginSpan(tracing, exchange) : undefined;
  scope.span = span;
  exchange.headers["X-Request-Id"] = id;
  metrics.inFlight += 1;
  let isSent = false;
  // A response also finishes, its bytes discarded, when its connection breaks off.
  response.once("finish", () => (isSent = !request.socket.destroyed));
  response.on("close", () => {
    metrics.inFlight -= 1;
    const status = isSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
    metrics.answered(routeOf(exchange), status, (performance.now() - exchange.startedAt) / 1e3);
    logAnswered(exchange, isSent);
    if (span) endSpan(span, exchange, status);
  });
  return scope.run(next);
};

/** Final only when the request is answered, since a POST may override its method. */
const routeOf = ({ destination, method, route }: Exchange) => route ?? destination.routeOf(method);

function logAnswered(exchange: Exchange, isSent: boolean): void {
  const { board, scope, response, request, id, address } = exchange;
  const status = response.statusCode;
  const level = status >= 500 ? "error" : "info";
  if (isSilent(exchange, status) || !board.log.isLevelEnabled(level)) return;
  const facts = {
    req: describeRequest(id, request, address),
    route: routeOf(exchange).path,
    statements: scope.statements,
    ...(scope.operation === undefined ? {} : { operation: scope.operation }),
    ...(scope.span ? { trace_id: scope.span.traceId } : {}),
    res: { status },
    responseTime: Math.round(performance.now() - exchange.startedAt),
  };
  const outcome = status >= 500 ? "request errored" : isSent ? "request completed" : "request aborted";
  board.log[level](facts, outcome);
}

/** The path of a URL: the query may contain keys and private data. */
function beginSpan(tracing: Tracing, exchange: Exchange): Span {
  const { request, path, protocol, id } = exchange;
  const { method = "", httpVersion } = request;
  const attributes = {
    "http.request.method": method,
    "url.path": path,
    "url.scheme": protocol,
    "network.protocol.version": httpVersion,
    "graphbooru.request.id": id,
  };
  const parents = { traceparent: exchange.header("traceparent"), tracestate: exchange.header("tracestate") };
  return tracing.begin(method, "server", attributes, parents);
}

function endSpan(span: Span, exchange: Exchange, status: number): void {
  const { method, path } = routeOf(exchange);
  span.rename(`${method} ${path}`);
  span.describe({
    "http.request.method": method === "OTHER" ? "_OTHER" : method,
    "http.route": path === "unmatched" ? undefined : path,
    "http.response.status_code": exchange.response.headersSent ? status : undefined,
  });
  span.end(status >= 500 || status === CLIENT_CLOSED_REQUEST ? String(status) : undefined);
}
