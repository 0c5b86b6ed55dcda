/** The reference of the REST interface: `/openapi.json`, and `/docs`, a page that shows it without requests to other hosts. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { GraphQLSchema } from "graphql";
import type { ResourceRow } from "../adapter/row.js";
import type { Facts } from "./info.js";
import { openApi } from "./openapi.js";

/** The constant response of a path. */
export interface ReferenceFile {
  path: string;
  headers: Readonly<Record<string, string>>;
  /** creates its content, which takes some time */
  make(): Buffer;
}

/** The files of Swagger UI that the page needs, and their types. */
const FILES = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

const require = createRequire(import.meta.url);

/** Revalidated each time, with 304 if it is unchanged. */
const FRESH = { "Cache-Control": "no-cache" };
const FOR_AN_HOUR = { "Cache-Control": "public, max-age=3600" };

/** The files of a board's reference, the same for all viewers. */
export const referenceFiles = (schema: GraphQLSchema, rows: readonly ResourceRow[], facts: Facts): ReferenceFile[] => [
  {
    path: "/openapi.json",
    headers: { ...FRESH, "Content-Type": "application/json; charset=utf-8" },
    make: () => Buffer.from(JSON.stringify(openApi(schema, rows, facts))),
  },
  {
    path: "/docs",
    headers: {
      ...FRESH,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policyFor(facts.PUBLIC_URL),
    },
    make: () => Buffer.from(PAGE),
  },
  {
    path: "/docs/init.js",
    headers: { ...FRESH, "Content-Type": "text/javascript; charset=utf-8" },
    make: () => Buffer.from(INIT),
  },
  ...Object.entries(FILES).map(([name, type]) => ({
    path: `/docs/${name}`,
    headers: { ...FOR_AN_HOUR, "Content-Type": type },
    make: () => readFileSync(require.resolve(`swagger-ui-dist/${name}`)),
  })),
];

/** The page at `/docs`: Swagger UI, served locally. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Graphbooru: REST reference</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. The description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/init.js"></script>
  </body>
</html>
`;

/** Without the validator's badge, which would send a request to another host. */
const INIT = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null,
});
`;

/** The content security policy of the page. @param publicUrl origin of the operations, if it may differ from the page's */
const policyFor = (publicUrl: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${publicUrl ? ` ${publicUrl}` : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
