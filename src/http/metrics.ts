/**
 * `/metrics`, in Prometheus' text format. With METRICS_TOKEN whoever bears it reads it; without, whoever is on the machine
 * itself and comes directly: through a proxy everybody seems to be on the machine.
 */
import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import ipaddr from "ipaddr.js";
import { constantTimeEqual } from "../runtime/auth/password.js";
import type { Board } from "../board.js";
import { failure } from "../errors.js";
import { readProcesses } from "../runtime/processes/metrics.js";

/** What proxies add to a request that they pass on. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** Names of the machine itself. A page of another site whose name leads here sends that name. */
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

export function serveMetrics({ config, telemetry }: Board): RequestHandler {
  const { metrics } = telemetry;
  return async (request, response, next) => {
    if (request.path !== "/metrics" || !["GET", "HEAD"].includes(request.method)) return next();
    if (config.METRICS_TOKEN === undefined) {
      if (!isLocal(request)) throw failure("not_found");
    } else if (!bears(request, config.METRICS_TOKEN)) throw failure("authentication_failed");
    const text = await metrics.expose(await readProcesses());
    response.set({ "Content-Type": metrics.contentType, "Cache-Control": "no-store" }).send(text);
  };
}

function bears({ headers }: IncomingMessage, token: string): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return given !== undefined && constantTimeEqual(given, token);
}

/** By the connection's own address: what `trust proxy` makes of it is what somebody else says. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const { remoteAddress = "" } = socket;
  if (!ipaddr.isValid(remoteAddress) || ipaddr.process(remoteAddress).range() !== "loopback") return false;
  return FORWARDED.every((name) => headers[name] === undefined) && LOCAL_HOST.test(headers.host ?? "");
}
