/**
 * Endpoints for operators. `/healthz`: the process serves. `/readyz`: the database answers too, and the process is not about to
 * stop. `/metrics`, in Prometheus' text format: with METRICS_TOKEN, for requests with that token; without, for direct requests from
 * the machine itself (through a proxy, every request seems to come from it).
 */
import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import type { Board } from "../board.js";
import { failure } from "../errors.js";
import { constantTimeEqual } from "../runtime/auth/password.js";
import { readProcesses } from "../runtime/processes/metrics.js";
import type { Answer, Exchange, Step } from "./exchange.js";
import { NO_CORS } from "./static-headers.js";

const json = (status: number, value: object): Answer => ({
  status,
  headers: { "Content-Type": "application/json; charset=utf-8" },
  body: JSON.stringify(value),
});

/** Responds to GET and HEAD. @param drain whether the server is about to stop */
export const service =
  (drain: { readonly isDraining: boolean }): Step =>
  async (exchange, next) => {
    if (exchange.method !== "GET" && exchange.method !== "HEAD") return next();
    const { path, board } = exchange;
    if (path.startsWith("/metrics")) return metricsOf(exchange);
    if (path.startsWith("/healthz")) return json(200, { status: "ok" });
    const fault = drain.isDraining ? "stopping" : (await board.isReady()) ? null : "database unavailable";
    if (fault) exchange.headers["Retry-After"] = "5";
    return json(fault ? 503 : 200, { status: fault ?? "ok" });
  };

/** @throws BoardError 403, 404 */
async function metricsOf({ board: { config, telemetry }, request }: Exchange): Promise<Answer> {
  requireReader(config, request);
  const { metrics } = telemetry;
  const body = await metrics.expose(await readProcesses());
  return {
    status: 200,
    headers: { ...NO_CORS, "Content-Type": metrics.contentType, "Cache-Control": "no-store" },
    body,
  };
}

function requireReader({ METRICS_TOKEN }: Board["config"], request: IncomingMessage): void {
  if (METRICS_TOKEN === undefined) {
    if (!isLocal(request)) throw failure("not_found");
    return;
  }
  const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (given === undefined || !constantTimeEqual(given, METRICS_TOKEN)) throw failure("authentication_failed");
}

/** Headers that proxies add to forwarded requests. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** Names of the machine itself. A page of another site whose name resolves to it sends that name instead. */
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** By the connection's own address: `TRUST_PROXY` would use an address that somebody else sent. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const { remoteAddress = "" } = socket;
  if (!ipaddr.isValid(remoteAddress) || ipaddr.process(remoteAddress).range() !== "loopback") return false;
  return FORWARDED.every((name) => headers[name] === undefined) && LOCAL_HOST.test(headers.host ?? "");
}
