/** Which requests are for pages: those that browsers send when somebody opens a URL. */
import type { IncomingMessage } from "node:http";
import Negotiator from "negotiator";
import { type Place, placeOf } from "../routes.js";

/** In order of preference for clients that accept several: programs first. */
const TYPES = ["application/json", "application/xml", "text/xml", "text/html"];
const CREDENTIALS = ["login", "api_key", "password_hash"];

/** Whether the client prefers HTML to the data of the REST interface. */
function prefersHtml(request: IncomingMessage): boolean {
  if (!/\btext\/html\b/.test(request.headers.accept ?? "")) return false;
  return new Negotiator(request).mediaType(TYPES) === "text/html";
}

/** Whether somebody opens a URL in a browser: a GET without an extension, and with no credentials but cookies. */
export function opensPage(request: IncomingMessage): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  if (request.headers.authorization !== undefined || !prefersHtml(request)) return false;
  const [path = "/", query = ""] = (request.url ?? "/").split(/\?(.*)/s); // not by URL, to which "//" is no URL
  const given = new URLSearchParams(query);
  return !hasExtension(path) && !CREDENTIALS.some((name) => given.has(name));
}

/** Not by a regular expression, which takes minutes for a long path of dots. */
const hasExtension = (path: string): boolean => path.lastIndexOf(".") > path.lastIndexOf("/");

/** The page that a request is for, with the variables of its document; null if it is not for a page. */
export const pageOf = (request: IncomingMessage): (Place & { variables: Record<string, unknown> }) | null =>
  opensPage(request) ? placeOf(request.url ?? "/") : null;

/** The URL of a request with the digits of its path as such, and without slashes at its end; null if that changes nothing, or it begins with several, as one of another site does. */
export function tidied({ url = "" }: IncomingMessage): string | null {
  const [, path = "", query = ""] = /^(\/[^?/\\](?:[^?]*[^?/])?)\/*(\?.*)?$/s.exec(url) ?? [];
  const tidy = path.replace(/%3\d/g, decodeURIComponent) + query;
  return path === "" || tidy === url ? null : tidy;
}
