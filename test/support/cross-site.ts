/** What pages of other sites can make a browser send: with its cookies, and without anything that needs CORS permission. */
import type { Params } from "./client.js";
import { brackets } from "./client.js";

/** A way in which another site's page sends a request. */
export interface Way {
  name: string;
  headers: Record<string, string>;
}

/** A page of another site says so in each of these ways, by the browser's age; the last one says nothing at all. */
export const FOREIGN: readonly Way[] = [
  { name: "a browser of today", headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } },
  { name: "an older one", headers: { origin: "https://evil.example" } },
  { name: "a sandboxed frame", headers: { origin: "null" } },
  { name: "another port of this host", headers: { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" } },
  { name: "one that says nothing", headers: {} },
];

/** Parameters as the bodies that a form can have without asking for permission: two of its types, and JSON called a text. */
export function formBodies(params: Params): RequestInit[] {
  const pairs = brackets(params) as [string, string][];
  const multipart = new FormData();
  for (const [name, value] of pairs) multipart.append(name, value);
  return [
    { body: new URLSearchParams(pairs) },
    { body: multipart },
    { body: JSON.stringify(params), headers: { "content-type": "text/plain" } },
  ];
}
