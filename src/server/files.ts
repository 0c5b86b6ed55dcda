/**
 * The files of posts at `/data/...`: of the type that their extension says, for ever the same, in ranges, and unable to run
 * as pages whatever is in them.
 */
import { type Response, Router } from "express";
import { contentType, parseKey } from "../storage/keys.js";
import type { Storage } from "../storage/storage.js";
import { failure } from "../errors.js";
import { sendFailure } from "../../rest/adapter/envelope.js";

const YEAR = 365 * 24 * 3600 * 1000;

export function serveFiles(storage: Storage): Router {
  const router = Router();
  router.get("/*key", (request, response) => {
    const key = request.params.key.join("/");
    const parsed = parseKey(key);
    const path = parsed && storage.localPath(key);
    if (!parsed || !path) return sendFailure(response, "json", failure("not_found"));
    response.set({
      "Content-Type": contentType(parsed.ext),
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    response.sendFile(path, { dotfiles: "allow", immutable: true, maxAge: YEAR, cacheControl: true }, (error) => {
      if (error && !response.headersSent) refuse(response, error);
    });
  });
  return router;
}

/** A range that begins behind the end of the file is answered as HTTP has it, with the file's length. */
function refuse(response: Response, error: Error): void {
  for (const name of ["Content-Type", "Content-Security-Policy", "Cache-Control"]) response.removeHeader(name);
  const { status, headers } = error as { status?: number; headers?: Record<string, string> };
  if (status === 416)
    return void response
      .status(416)
      .set(headers ?? {})
      .end();
  sendFailure(response, "json", failure("not_found"));
}
