/** Answers OPTIONS with the allowed methods and origins, for everybody: browsers send it without credentials, before each write. */
import { failure } from "../errors.js";
import type { Exchange, Step } from "./exchange.js";

const METHODS = { "Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE" };

/** What pages of other sites may send. */
function allowForeignPages(exchange: Exchange): void {
  const wanted = exchange.header("access-control-request-headers");
  Object.assign(exchange.headers, METHODS, wanted ? { "Access-Control-Allow-Headers": wanted } : {});
  exchange.vary = "Access-Control-Request-Headers";
}

/** A response with only these headers. */
export const preflight: Step = (exchange, next) => {
  if (exchange.method !== "OPTIONS") return next();
  allowForeignPages(exchange);
  return { status: 204, headers: {}, body: null };
};

/** Adds the methods of the path. */
export const options: Step = (exchange, next) => {
  if (exchange.method !== "OPTIONS") return next();
  allowForeignPages(exchange);
  const methods = exchange.destination.methods().join(", ");
  if (methods === "") throw failure("not_found");
  const headers = { Allow: methods, "Content-Type": "text/plain; charset=utf-8" };
  return { status: 200, headers, body: methods };
};
