/**
 * The files of posts at `/data/...`: of the type that their extension says, for ever the same, in ranges, and unable to run
 * as pages whatever is in them.
 */
import { type NextFunction, type Response, Router } from "express";
import type { Board } from "../board.js";
import { contentType, parseKey } from "../storage/keys.js";
import { BoardError, failure } from "../errors.js";
import { sendFailure } from "../../rest/adapter/envelope.js";
import { workFirst } from "./backpressure.js";
import { storedFiles } from "./stored-files.js";

const YEAR = 365 * 24 * 3600 * 1000;

/** As Express' `sendFile` says it. */
const CACHE_CONTROL = `public, max-age=${YEAR / 1000}, immutable`;

/** Requests for files that may wait for a store elsewhere, as a part of MAX_REQUESTS. */
const WAITING_SHARE = 1 / 4;

export function serveFiles({ storage, config }: Pick<Board, "storage" | "config">): Router {
  const router = Router();
  const sendStored = storedFiles(storage, Math.ceil(config.MAX_REQUESTS * WAITING_SHARE), CACHE_CONTROL);
  router.use(workFirst());
  router.get("/*key", (request, response, next) => {
    const key = request.params.key.join("/");
    const parsed = parseKey(key);
    if (!parsed) return sendFailure(response, "json", failure("not_found"));
    response.set({
      "Content-Type": contentType(parsed.ext),
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    const refused = (error: Error | undefined) => error && isAsking(response) && refuse(response, error, next);
    const path = storage.localPath(key);
    if (path === null) return void sendStored(request, response, key).catch(refused);
    response.sendFile(path, { dotfiles: "allow", immutable: true, maxAge: YEAR, cacheControl: true }, refused);
  });
  return router;
}

/** Whether somebody waits for an answer that has not begun. */
const isAsking = (response: Response): boolean => !response.headersSent && !response.destroyed;

const OF_FILES = [
  "Accept-Ranges",
  "Cache-Control",
  "Content-Length",
  "Content-Range",
  "Content-Security-Policy",
  "Content-Type",
  "ETag",
  "Last-Modified",
];

/**
 * A range that begins behind the end of the file is answered as HTTP has it, with the file's length. `sendFile`'s other
 * errors, which have a status, are names that are no file's; those of a store elsewhere are the table's, or our own fault.
 */
function refuse(response: Response, error: Error, next: NextFunction): void {
  for (const name of OF_FILES) response.removeHeader(name);
  const { status, code, headers } = error as { status?: number; code?: string; headers?: Record<string, string> };
  if (status === 416)
    return void response
      .status(416)
      .set(headers ?? {})
      .end();
  if (error instanceof BoardError || (status === undefined && code !== "ENOENT")) return next(error);
  sendFailure(response, "json", failure("not_found"));
}
