/** GraphiQL, for browsers that open `/graphql`: one local page that loads nothing from other hosts. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import Negotiator from "negotiator";
import { projectRoot } from "../../src/lib/project-root.js";

/** Created by `build.mjs`, a step of the set-up, and copied into the build. */
const STATIC = path.join(projectRoot(), "dist/graphql/explorer/static");

export interface Page {
  /** the page, compressed with gzip */
  gzipped: Buffer;
  headers: Record<string, string>;
}

/** Reads the page. @throws the system's error if it does not exist */
export async function readExplorer(): Promise<Page> {
  const [gzipped, facts] = await Promise.all([
    readFile(path.join(STATIC, "graphiql.html.gz")),
    readFile(path.join(STATIC, "graphiql.json"), "utf8"),
  ]);
  const { scriptHash } = JSON.parse(facts) as { scriptHash: string };
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policyFor(scriptHash),
    "Cache-Control": "no-cache",
  };
  return { gzipped, headers };
}

/** The content security policy: the page's only script, and styles created by its editor. */
const policyFor = (scriptHash: string): string =>
  [
    "default-src 'self'",
    `script-src '${scriptHash}'`,
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Media types, in the order of preference for clients without one. */
const TYPES = ["application/json", "application/graphql-response+json", "text/html"];

/** Whether to respond with the page: the client prefers HTML and sends no query. */
export function opensExplorer(requestPath: string, query: string, accept: string | undefined): boolean {
  if (!/^\/graphql\/?$/i.test(requestPath) || new URLSearchParams(query).has("query")) return false;
  return accept !== undefined && new Negotiator({ headers: { accept } }).mediaType(TYPES) === "text/html";
}
