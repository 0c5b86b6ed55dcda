/** The OpenAPI document: valid, complete by the table, and shown by a page without external resources. */
import { get, type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Validator } from "@seriousme/openapi-schema-validator";
import { getNullableType, type GraphQLInputType, isInputObjectType, isNonNullType, typeFromAST } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toSnake } from "../../src/lib/case.js";
import { type ResourceRow, variantsOf } from "../../rest/adapter/row.js";
import { operationOf } from "../../rest/adapter/execute.js";
import { table } from "../../rest/table.js";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import { Contract, type Described, type Document, type Json } from "../support/openapi.js";

let test: TestBoard;
let answer: Answer;
let contract: Contract;
beforeAll(async () => {
  test = await startBoard({ LIMIT_GOLD: "12345", MAX_POSTS_PER_PAGE: "77" });
  answer = await test.anonymous.get("/openapi.json");
  contract = new Contract(answer.json as Document);
});
afterAll(() => test[Symbol.asyncDispose]());

const FORMATS = ["json", "xml"] as const;
const rows = table.map((row): [string, ResourceRow] => [`${row.method} ${row.path}`, row]);

/** `fetch` has a mind of its own about caches. */
const statusOf = (path: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(`${test.url}${path}`, { headers, agent: false }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    }).on("error", reject);
  });

/** An answer as it was sent, not decoded. */
const raw = (path: string, headers: Record<string, string>, method = "GET") =>
  new Promise<{ headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const asking = request(`${test.url}${path}`, { method, headers, agent: false }, (response) => {
      buffer(response).then((body) => resolve({ headers: response.headers, body }), reject);
    });
    asking.on("error", reject).end();
  });

describe("GET /openapi.json", () => {
  it("is an OpenAPI 3.1 document", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(answer.json as Json))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("states the licence and the limits of this board", () => {
    const info = answer.json.info as { license: unknown; description: string };
    expect(info.license).toEqual({ name: "MIT", identifier: "MIT" });
    expect(info.description).toContain("| Requests an hour, Gold | 12,345 |");
    expect(info.description).toContain("| Posts in one listing | 77 |");
  });

  it("is available to other sites, does not count, and supports 304", async () => {
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("x-ratelimit-limit")).toBeNull();
    const etag = answer.headers.get("etag") ?? "";
    expect(await statusOf("/openapi.json", { "if-none-match": etag })).toBe(304);
    expect(await statusOf("/openapi.json", { "if-none-match": 'W/"another"' })).toBe(200);
  });

  it.each([
    ["/openapi.json", "br"],
    ["/openapi.json", "gzip"],
    ["/docs/swagger-ui-bundle.js", "br"],
  ])("%s is sent as %s, the same text with the same ETag, and unencoded if requested", async (path, encoding) => {
    const plain = await raw(path, {});
    const encoded = await raw(path, { "accept-encoding": encoding });
    expect([encoded.headers["content-encoding"], encoded.headers.etag]).toEqual([encoding, plain.headers.etag]);
    expect(encoded.headers["content-length"]).toBe(String(encoded.body.length));
    const decode = encoding === "br" ? brotliDecompressSync : gunzipSync;
    expect(decode(encoded.body).equals(plain.body)).toBe(true);
    expect([plain.headers["content-encoding"], plain.headers.vary]).toEqual([undefined, "Accept-Encoding"]);
    expect((await raw(path, { "accept-encoding": encoding })).body.equals(encoded.body)).toBe(true);
  });

  it("supports HEAD with its length", async () => {
    const { headers, body } = await raw("/openapi.json", {}, "HEAD");
    expect([headers["content-length"], body.length]).toEqual([String(Buffer.byteLength(answer.text)), 0]);
  });

  it("names each operation once, and has no broken references", () => {
    const operations = Object.values(contract.document.paths).flatMap((path) => Object.values(path));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const references = [...answer.text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = ""]) => reference);
    expect(references.filter((reference) => Object.keys(contract.resolve(reference)).length === 0)).toEqual([]);
  });

  it("says what each tag is", () => {
    const tags = contract.document.tags as { name: string; description?: string }[];
    expect(tags.filter(({ description }) => !description)).toEqual([]);
    expect(tags).toContainEqual({ name: "Sessions", description: "A signed-in browser, visible only to its user." });
  });

  it("says what each parameter is", () => {
    const operations = Object.values(contract.document.paths).flatMap((path) => Object.values(path));
    const unnamed = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap((each) => ("$ref" in each || "description" in each ? [] : [`${operationId} ${each.name}`])),
    );
    expect(unnamed).toEqual([]);
  });

  it("says that the favorites of a post are 404 without the post, as other lists are not", () => {
    const describes404 = (path: string): boolean => "404" in (contract.document.paths[path]?.get?.responses ?? {});
    const lists = [
      "/favorites.json",
      "/favorites.xml",
      "/posts/{post_id}/favorites.json",
      "/posts.json",
      "/notes.json",
    ];
    expect(lists.map(describes404)).toEqual([true, true, true, false, false]);
  });

  it("names the headers that some responses have", () => {
    const notes = contract.operation({ method: "GET", path: "/notes" });
    expect(notes?.responses["200"]).toHaveProperty(["headers", "X-Unknown-Parameters"]);
    const headersOf = (name: string) => Object.keys(contract.document.components.responses?.[name]?.headers as Json);
    expect(headersOf("AlreadyExists")).toContain("Location");
    expect(headersOf("UserThrottled")).toContain("Retry-After");
  });

  it("uses REST's spelling of names", () => {
    expect(answer.text.match(/`[a-z]+[A-Z]\w*`/g) ?? []).toEqual([]);
  });

  it("requires a login for operations that do", () => {
    const securityOf = (path: string, method: string) => contract.document.paths[path]?.[method]?.security;
    const ways = [{ basic: [] }, { login: [], api_key: [] }, { session: [] }, { user_name: [], password_hash: [] }];
    expect(securityOf("/posts.json", "get")).toEqual([{}, ...ways]);
    expect(securityOf("/posts/{id}.xml", "put")).toEqual(ways);
    expect(securityOf("/profile.json", "get")).toEqual(ways);
    expect(contract.operation({ method: "PUT", path: "/users/:id" })).toMatchObject({
      description: expect.stringContaining("For all accounts, banned ones too.") as unknown,
      security: ways,
    });
  });

  it("has the password of a deletion in the body, as all parameters of writes", () => {
    const closing = contract.operation({ method: "DELETE", path: "/users/:id" });
    expect(closing?.parameters).toEqual([expect.objectContaining({ name: "id", in: "path" })]);
    expect(closing?.requestBody?.content["application/x-www-form-urlencoded"]?.schema.required).toEqual(["password"]);
  });

  it("describes an upload as multipart with a file, and as form and JSON without", () => {
    const content = contract.operation({ method: "POST", path: "/uploads" })?.requestBody?.content ?? {};
    expect(Object.keys(content)).toEqual([
      "multipart/form-data",
      "application/x-www-form-urlencoded",
      "application/json",
    ]);
    const [multipart, form, json] = Object.values(content).map(
      ({ schema }) => schema.properties as Record<string, Json>,
    );
    expect(multipart?.["upload[file]"]).toMatchObject({ type: "string", format: "binary" });
    expect(form).not.toHaveProperty("upload[file]");
    expect(form?.["upload[source]"]).toMatchObject({ type: "string" });
    expect(json).toEqual({ upload: { $ref: "#/components/schemas/CreateUploadInput" } });
  });
});

describe("every row of the table", () => {
  it.each(rows)("%s is described in both formats, with the same parameters", (_name, row) => {
    const [json, xml] = FORMATS.map((format) => contract.operation(row, format));
    expect([Boolean(json), Boolean(xml)]).toEqual([true, true]);
    expect(xml?.parameters).toEqual(json?.parameters);
    expect(xml?.requestBody).toEqual(json?.requestBody);
    expect(Object.keys(xml?.responses ?? {})).toEqual(Object.keys(json?.responses ?? {}));
  });

  /** Parameters and fields of the form, with whether they must be there. */
  function named({ parameters = [], requestBody }: Described): Map<string, boolean> {
    const all = new Map<string, boolean>();
    for (const { name, required = false } of parameters) if (name) all.set(name, required);
    const form = Object.values(requestBody?.content ?? {})[0]?.schema;
    for (const name of Object.keys(form?.properties ?? {})) {
      all.set(name, (form?.required as string[] | undefined)?.includes(name) ?? false);
    }
    return all;
  }

  /** The names that a value of the type may be sent under, by its name in the brackets. */
  function leaves(type: GraphQLInputType, name: string, required: boolean): [string, boolean][] {
    const object = getNullableType(type);
    const must = required && isNonNullType(type);
    if (!isInputObjectType(object)) return [[name, must]];
    return Object.values(object.getFields()).flatMap((field) =>
      leaves(field.type, name ? `${name}[${toSnake(field.name)}]` : toSnake(field.name), must || name === "search"),
    );
  }

  const schema = sharedSchema();
  const inner = (name: string): string => name.replace(/^(?!search\b)\w+\[(\w+)\]/, "$1");

  it.each(rows)("%s has every variable of its documents", (_name, row) => {
    const sent = named(contract.operation(row) as Described);
    const bare = new Map([...sent].map(([name, required]) => [inner(name), required]));
    for (const variant of variantsOf(row)) {
      for (const definition of operationOf(variant.document).variableDefinitions ?? []) {
        const name = definition.variable.name.value;
        if (name === row.idOr) continue;
        const type = typeFromAST(schema, definition.type) as GraphQLInputType;
        for (const [leaf, required] of leaves(type, name === "input" ? "" : name, true)) {
          if (leaf === row.idOr) continue;
          expect([leaf, bare.has(leaf)]).toEqual([leaf, true]);
          const must = required && variant === row;
          expect([leaf, must && bare.get(leaf)]).toEqual([leaf, must]);
        }
      }
    }
  });
});

describe("GET /docs", () => {
  const hosts = (text: string): string[] =>
    text.match(/(?:\b(?:src|href|action|url)\s*[=:(]\s*["'`]?|@import\s+["']?)(?:https?:)?\/\/[^\s"'`)>]*/gi) ?? [];

  it("is a page that can load and run only this board's own files", async () => {
    const { status, headers, text } = await test.anonymous.get("/docs");
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(hosts(text)).toEqual([]);
    expect(text.match(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/gi)).toBeNull();
  });

  it("has all of its files locally, without references to other hosts", async () => {
    const { text } = await test.anonymous.get("/docs");
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = ""]) => file);
    expect(files.sort()).toEqual([
      "/docs/favicon-32x32.png",
      "/docs/init.js",
      "/docs/swagger-ui-bundle.js",
      "/docs/swagger-ui.css",
      "/openapi.json",
    ]);
    for (const file of files) expect([file, (await test.anonymous.get(file)).status]).toEqual([file, 200]);
    expect(hosts((await test.anonymous.get("/docs/swagger-ui.css")).text)).toEqual([]);
    expect((await test.anonymous.get("/docs/init.js")).text).toContain("validatorUrl: null");
  });

  it("serves no other files of the package", async () => {
    for (const file of ["package.json", "index.html", "swagger-initializer.js", "..%2f..%2fpackage.json"]) {
      expect([file, (await test.anonymous.get(`/docs/${file}`)).status]).toEqual([file, 404]);
    }
  });
});
