/** Which requests are for pages: those that browsers send when somebody opens an address. */
import type { IncomingMessage } from "node:http";
import Negotiator from "negotiator";
import { type Place, placeOf } from "../routes.js";

/** In the order in which callers are answered who don't care: programs first. */
const TYPES = ["application/json", "application/xml", "text/xml", "text/html"];
const CREDENTIALS = ["login", "api_key", "password_hash"];

/** Whether it prefers HTML to the data of the REST interface. */
function prefersHtml(request: IncomingMessage): boolean {
  if (!/\btext\/html\b/.test(request.headers.accept ?? "")) return false;
  return new Negotiator(request).mediaType(TYPES) === "text/html";
}

/** Whether a person opens an address: by GET, without an extension, and with no credentials but cookies. */
export function opensPage(request: IncomingMessage): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  if (request.headers.authorization !== undefined || !prefersHtml(request)) return false;
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  return !/\.[^/]*$/.test(pathname) && !CREDENTIALS.some((name) => searchParams.has(name));
}

/** The page that a request is for, with the variables of its document; null where it is for no page. */
export const pageOf = (request: IncomingMessage): (Place & { variables: Record<string, unknown> }) | null =>
  opensPage(request) ? placeOf(request.url ?? "/") : null;
