/**
 * The files of posts at `/data/...`: of the type that their extension says, for ever the same, in ranges, and unable to run
 * as pages whatever is in them.
 */
import { Router } from "express";
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
      if (!error || response.headersSent) return;
      for (const name of ["Content-Type", "Content-Security-Policy", "Cache-Control"]) response.removeHeader(name);
      sendFailure(response, "json", failure("not_found"));
    });
  });
  return router;
}
