/** The reference of the REST interface: `/openapi.json`, and `/docs`, a page that shows it without requests to other hosts. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { GraphQLSchema } from "graphql";
import type { ResourceRow } from "../adapter/row.js";
import type { Facts } from "./info.js";
import { openApi } from "./openapi.js";
import { INIT, PAGE, policyFor } from "./page.js";

/** The constant response of a path. */
export interface Sheet {
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

/** The sheets of a board, the same for all viewers. */
export const referenceSheets = (schema: GraphQLSchema, rows: readonly ResourceRow[], facts: Facts): Sheet[] => [
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
