/** `/openapi.json`, and `/docs`, a page for browsers that shows it and loads nothing from elsewhere. */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { type Response, Router } from "express";
import type { GraphQLSchema } from "graphql";
import type { ResourceRow } from "../adapter/row.js";
import type { Facts } from "./info.js";
import { openApi } from "./openapi.js";
import { INIT, PAGE, policyFor } from "./page.js";

/** A text that is always the same, and what caches tell it by. */
interface Sheet {
  type: string;
  text: string;
  etag: string;
}

const sheetOf = (type: string, text: string): Sheet => ({
  type,
  text,
  // weak, because the compressed text has the same
  etag: `W/"${createHash("sha256").update(text).digest("base64url")}"`,
});

/** Answers 304 to who has it already. */
const send = (response: Response, { type, text, etag }: Sheet): void =>
  void response.set({ "Cache-Control": "no-cache", ETag: etag }).type(type).send(text);

/** The files of Swagger UI that the page needs. */
const FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];
const HOUR = 3600 * 1000;

const require = createRequire(import.meta.url);

/**
 * Middleware that answers the description of the interface and its page. They are the same for everybody, hence before what
 * counts and checks requests.
 */
export function serveReference(schema: GraphQLSchema, rows: readonly ResourceRow[], facts: Facts): Router {
  const router = Router();
  const page = sheetOf("text/html; charset=utf-8", PAGE);
  const init = sheetOf("text/javascript; charset=utf-8", INIT);
  let description: Sheet | undefined;
  router.get("/openapi.json", (_request, response) => {
    description ??= sheetOf("application/json; charset=utf-8", JSON.stringify(openApi(schema, rows, facts)));
    send(response, description);
  });
  router.get("/docs", (_request, response) => {
    response.set("Content-Security-Policy", policyFor(facts.PUBLIC_URL));
    send(response, page);
  });
  router.get("/docs/init.js", (_request, response) => send(response, init));
  for (const name of FILES) {
    const file = require.resolve(`swagger-ui-dist/${name}`);
    router.get(`/docs/${name}`, (_request, response) => response.sendFile(file, { maxAge: HOUR, dotfiles: "allow" }));
  }
  return router;
}
