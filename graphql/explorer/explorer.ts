/** GraphiQL, for whoever opens `/graphql` in a browser: one page from our own disk that loads nothing from elsewhere. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Request, RequestHandler, Response } from "express";

/** Made by `build.mjs`, a step of the set-up, which copies it to the same place beside the built program. */
const STATIC = path.join(import.meta.dirname, "static");

interface Page {
  /** the page, compressed with gzip */
  gzipped: Buffer;
  etag: string;
  /** what the page may do and load: the one script it has, and styles that its editor makes as it goes */
  policy: string;
}

async function readPage(): Promise<Page> {
  const [gzipped, facts] = await Promise.all([
    readFile(path.join(STATIC, "graphiql.html.gz")),
    readFile(path.join(STATIC, "graphiql.json"), "utf8"),
  ]);
  const { scriptHash } = JSON.parse(facts) as { scriptHash: string };
  // weak, because both encodings of the page have the same
  const etag = `W/"${createHash("sha256").update(gzipped).digest("base64url")}"`;
  return { gzipped, etag, policy: policyFor(scriptHash) };
}

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

/** In the order in which we answer callers who don't care. */
const TYPES = ["application/json", "application/graphql-response+json", "text/html"];

/** Whether a browser opens the page: it prefers HTML and asks nothing of the API. */
function opensPage(request: Request): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const [, search = ""] = request.originalUrl.split("?", 2);
  return request.path === "/" && !new URLSearchParams(search).has("query") && request.accepts(TYPES) === "text/html";
}

function send({ gzipped, etag, policy }: Page, request: Request, response: Response): void {
  response.vary("Accept, Accept-Encoding");
  response.set({ "Content-Security-Policy": policy, "Cache-Control": "no-cache", ETag: etag });
  response.type("text/html; charset=utf-8");
  if (request.acceptsEncodings("gzip", "identity") === "gzip") {
    response.set("Content-Encoding", "gzip").send(gzipped); // sees to HEAD and to what the browser has already
  } else if (request.fresh) {
    response.status(304).end();
  } else if (request.method === "HEAD") {
    response.end();
  } else {
    const gunzip = createGunzip();
    gunzip.end(gzipped);
    pipeline(gunzip, response, () => undefined); // a browser that goes away is no failure of ours
  }
}

/**
 * Middleware for the GraphQL endpoint's path: answers browsers with the page, and leaves everything else to the API. Put it
 * before what counts and checks requests, for the page is the same for everybody.
 */
export function serveExplorer(): RequestHandler {
  let page: Promise<Page> | undefined;
  return async (request, response, next) => {
    if (!opensPage(request)) return next();
    page ??= readPage();
    const found = await page.catch((error: unknown) => {
      page = undefined; // may be there next time
      throw error;
    });
    send(found, request, response);
  };
}
