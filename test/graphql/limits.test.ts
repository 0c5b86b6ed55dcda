/** The limits of a query at POST and GET /graphql, its cost, and protection against cross-site requests. */
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import { processorTime } from "../support/timing.js";

/** What a page of another site may have sent. */
const FOREIGN = { code: "FORBIDDEN", status: 403 };
const INVALID = { code: "INVALID_PARAMETERS", status: 424 };

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard({ GRAPHQL_MAX_DEPTH: "8", GRAPHQL_MAX_ALIASES: "30", GRAPHQL_MAX_COMPLEXITY: "3000" });
});
afterAll(() => test[Symbol.asyncDispose]());

const reasons = (answer: Answer): string[] =>
  (answer.json as { errors: { message: string }[] }).errors.map((error) => error.message);

/** Refused, with these words, before a resolver ran: no statement beyond those of the viewer. */
async function expectRefused(answer: Answer, reason: RegExp): Promise<void> {
  expect([answer.status, answer.json.data]).toEqual([400, undefined]);
  expect(answer.json.errors[0]).toMatchObject({ extensions: INVALID });
  expect(reasons(answer)[0]).toMatch(reason);
  expect(await statementsOf(test, answer.headers.get("x-request-id"))).toBe(0);
}

/** `parent { parent { ... { id } } }` so many times. */
const nested = (levels: number): string => `${"parent { ".repeat(levels)}id${" }".repeat(levels)}`;

describe("the depth of a query", () => {
  it("may be GRAPHQL_MAX_DEPTH", async () => {
    const answer = await test.anonymous.graphql(`{ post(id: 1) { ${nested(6)} } }`);
    expect([answer.status, answer.json.data]).toEqual([200, { post: null }]);
  });

  it("may not be more", async () => {
    await expectRefused(
      await test.anonymous.graphql(`{ post(id: 1) { ${nested(7)} } }`),
      /^the query is too deep \(Query depth limit of 8 exceeded, found 9\)$/,
    );
  });

  it("is that of the response, however the query is split into fragments", async () => {
    const fragments = [0, 1, 2, 3, 4, 5].map((index) => `fragment F${index} on Post { parent { ...F${index + 1} } }`);
    const document = `{ post(id: 1) { ...F0 } } ${fragments.join(" ")} fragment F6 on Post { id }`;
    expect((await test.anonymous.graphql(document)).json.data).toEqual({ post: null });
  });

  it("is counted through fragments", async () => {
    const document = `{ post(id: 1) { ...Up } } fragment Up on Post { ${nested(7)} }`;
    await expectRefused(
      await test.anonymous.graphql(document),
      /^the query is too deep \(Query depth limit of 8 exceeded, found 9\)$/,
    );
  });
});

describe("the breadth of a query", () => {
  it("refuses 300 aliases", async () => {
    const fields = Array.from({ length: 300 }, (_, index) => `a${index}: viewer { id }`).join(" ");
    await expectRefused(
      await test.anonymous.graphql(`{ ${fields} }`),
      /^the query is too broad \(Aliases limit of 30 exceeded, found 300\)$/,
    );
  });

  it("refuses 2,001 tokens", async () => {
    const answer = await test.anonymous.graphql(`{ ${"viewer { id } ".repeat(600)} }`);
    await expectRefused(answer, /more that 2000 tokens/);
  });

  it("refuses fragments that multiply, at once", async () => {
    const spreads = (index: number) => `...F${index} `.repeat(40);
    const fragments = [1, 2, 3, 4].map((index) => `fragment F${index} on Post { ${spreads(index + 1)} }`);
    const document = `{ post(id: 1) { ${spreads(1)} } } ${fragments.join(" ")} fragment F5 on Post { id }`;
    const spent = await processorTime(async () => {
      const answer = await test.anonymous.graphql(document);
      expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([400, "INVALID_PARAMETERS"]);
    });
    expect(spent).toBeLessThan(2_000);
  });

  it("refuses cyclic fragments", async () => {
    const document = `{ post(id: 1) { ...A } } fragment A on Post { parent { ...B } } fragment B on Post { parent { ...A } }`;
    const answer = await test.anonymous.graphql(document);
    expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([400, "INVALID_PARAMETERS"]);
  });
});

describe("the cost of a query", () => {
  it("is in the response", async () => {
    const { json } = await test.anonymous.graphql(`{ posts(first: 10) { nodes { id score } } }`);
    expect(json.extensions).toEqual({ cost: { requested: 41, limit: 3000, requests: 1 } });
  });

  it("is the page size times the cost of a record", async () => {
    const few = await test.anonymous.graphql(`query($n: Int) { tags(first: $n) { nodes { id } } }`, { n: 7 });
    const usual = await test.anonymous.graphql(`{ tags { nodes { id } } }`);
    expect([few.json.extensions.cost.requested, usual.json.extensions.cost.requested]).toEqual([22, 61]);
  });

  it("is refused over the limit", async () => {
    const document = `{ posts(first: 1000) { nodes { id uploader { id } parent { id } } } }`;
    await expectRefused(await test.anonymous.graphql(document), /the query is too costly \(7001 of 3000\)/);
  });

  it("is computed with the variables, and refused if they don't fit", async () => {
    const document = `query($n: Int!) { posts(first: $n) { nodes { id } } }`;
    await expectRefused(
      await test.anonymous.graphql(document, { n: "many" }),
      /^Variable "\$n" got invalid value "many"/,
    );
    await expectRefused(await test.anonymous.graphql(document), /^Variable "\$n" of required type "Int!"/);
  });

  it("counts children, so that nested children are refused", async () => {
    const document = `{ post(id: 1) { children(first: 100) { parent { children(first: 100) { id } } } } }`;
    await expectRefused(await test.anonymous.graphql(document), /the query is too costly \(20302 of 3000\)/);
  });

  it("is refused if the response would exceed GRAPHQL_MAX_RESPONSE_BYTES", async () => {
    await using board = await startBoard({ GRAPHQL_MAX_RESPONSE_BYTES: "20000" });
    const { id } = await board.make.post();
    const source = `https://example.com/${"x".repeat(1_000)}`;
    await board.board.database.post.update({ where: { id }, data: { source } });
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}: source`).join(" ");
    const few = await board.anonymous.graphql(`{ post(id: ${id}) { ${fields(15)} } }`);
    const many = await board.anonymous.graphql(`{ post(id: ${id}) { ${fields(25)} } }`);
    expect([few.status, few.json.data.post.f14]).toEqual([200, source]);
    expect(many.json).toEqual({
      errors: [
        { message: expect.stringMatching(/^the response is larger than 20000 bytes/), extensions: expect.anything() },
      ],
      extensions: { cost: { requested: 26, limit: 5000, requests: 1 } },
    });
    expect(many.json.errors[0].extensions).toMatchObject(INVALID);
  });

  it("counts a page's records even if none of their fields are selected", async () => {
    const document = `{ posts(first: 1000) { nodes @skip(if: true) { id } } users(first: 1000) { __typename } }`;
    await expectRefused(await test.anonymous.graphql(document), /the query is too costly \(3002 of 3000\)/);
  });

  it("allows a page of 100 posts with all fields of a gallery", async () => {
    const document = `{ posts(first: 100) { nodes { id previewFileUrl tagString rating score uploader { name }
      hasVisibleChildren children(first: 2) { id } } } }`;
    const answer = await test.anonymous.graphql(document);
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  });
});

describe("introspection", () => {
  it("answers the standard query in full", async () => {
    const document = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    });
    const { status, json } = await test.anonymous.graphql(document);
    expect([status, json.errors]).toEqual([200, undefined]);
    expect(printSchema(buildClientSchema(json.data as IntrospectionQuery))).toBe(printSchema(sharedSchema()));
  });

  it.each([
    [28, "fields { name type { name kind ofType { name } } args { name type { name } } }"],
    [10, "fields { type { fields { name type { name } } ofType { fields { name type { name } } } } }"],
  ])("is refused for many types, or types with the fields of their fields: %i", async (count, fields) => {
    const types = Array.from({ length: count }, (_, index) => `a${index}: __type(name: "Query") { ${fields} }`);
    await expectRefused(await test.anonymous.graphql(`{ ${types.join(" ")} }`), /costly/);
  });

  it("is refused if it is recursive", async () => {
    const document = `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`;
    await expectRefused(await test.anonymous.graphql(document), /introspection depth/);
  });
});

describe("the body of a query", () => {
  const body = JSON.stringify({ query: "{ viewer { id } }" });
  const send = (type: string, text = body, headers: Record<string, string> = {}): Promise<Answer> =>
    test.anonymous.send("/graphql", { method: "POST", body: text, headers: { "content-type": type, ...headers } });

  it("may be JSON", async () => {
    const { status, headers, json } = await send("application/json");
    expect([status, headers.get("content-type"), json.data]).toEqual([
      200,
      "application/json; charset=utf-8",
      { viewer: null },
    ]);
  });

  it("is answered as application/graphql-response+json if accepted", async () => {
    const accept = "application/graphql-response+json";
    const { headers, json } = await send("application/json", body, { accept });
    expect([headers.get("content-type"), json.data]).toEqual([`${accept}; charset=utf-8`, { viewer: null }]);
  });

  it.each([
    ["wrong credentials", { authorization: `Basic ${btoa("nobody:key")}` }, body, 403],
    ["half a JSON", {}, `{"query": "{ viewer`, 424],
  ])(
    "is refused with that type too, without which Apollo Client drops the errors: %s",
    async (_name, sent, text, is) => {
      const accept = "application/graphql-response+json,application/json;q=0.9";
      const { status, headers, json } = await send("application/json", text, { accept, ...sent });
      expect([status, headers.get("content-type"), json.errors[0].extensions.status]).toEqual([
        is,
        "application/graphql-response+json; charset=utf-8",
        is,
      ]);
    },
  );

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "is refused as %s, which pages of other sites can send",
    async (type) => {
      const { json } = await send(type);
      expect([json.data, json.errors[0].extensions]).toMatchObject([undefined, FOREIGN]);
    },
  );

  it("is refused as a batch", async () => {
    const { status, json } = await send("application/json", `[${body},${body}]`);
    expect([status, json.errors[0].extensions]).toMatchObject([400, INVALID]);
  });

  it.each([
    ["nothing", ""],
    ["half a JSON", `{"query": "{ viewer`],
    ["a number", `{"query": 1}`],
    ["no query", `{"variables": {}}`],
    ["variables that are none", `{"query": "{ viewer { id } }", "variables": "x"}`],
  ])("is refused as %s", async (_name, text) => {
    const { json } = await send("application/json", text);
    expect([json.data, json.errors[0].extensions]).toMatchObject([undefined, INVALID]);
  });

  it("is refused over MAX_BODY_BYTES", async () => {
    const { json } = await send(
      "application/json",
      JSON.stringify({ query: `{ viewer { id } } #${"x".repeat(2 ** 20)}` }),
    );
    expect(json.errors[0]).toMatchObject({
      message: "the request body is larger than 1048576 bytes",
      extensions: INVALID,
    });
  });
});

describe("GET /graphql", () => {
  const preflight = { "apollo-require-preflight": "true" };

  it("answers queries", async () => {
    const client = test.anonymous.with({ ...preflight, accept: "application/json" });
    const { status, json } = await client.get("/graphql", { query: "{ viewer { id } }" });
    expect([status, json.data]).toEqual([200, { viewer: null }]);
  });

  it("is refused without a header that pages of other sites can't send", async () => {
    const client = test.anonymous.with({ accept: "application/json" });
    const { status, json } = await client.get("/graphql", { query: "{ viewer { id } }" });
    expect([status, json.errors[0].extensions]).toMatchObject([403, FOREIGN]);
  });

  it("has the same headers by HEAD", async () => {
    const client = test.anonymous.with({ ...preflight, accept: "application/json" });
    const [asked, query] = [{ accept: "application/json", ...preflight }, { query: "{ viewer { id } }" }];
    const head = await fetch(`${test.url}/graphql?${new URLSearchParams(query).toString()}`, {
      method: "HEAD",
      headers: asked,
    });
    const get = await client.get("/graphql", query);
    const names = ["content-type", "content-length", "etag", "cache-control"];
    expect([head.status, await head.text(), names.map((name) => head.headers.get(name))]).toEqual([
      200,
      "",
      names.map((name) => get.headers.get(name)),
    ]);
  });

  it("can't write", async () => {
    const client = test.anonymous.with({ ...preflight, accept: "application/json" });
    const { status, json } = await client.get("/graphql", { query: "mutation { deleteSession { ended } }" });
    expect([status, json.data]).toEqual([405, undefined]);
    expect(json.errors[0].extensions).toMatchObject(INVALID);
  });
});

describe("the hourly limit", () => {
  it("is shared by REST and GraphQL", async () => {
    await using board = await startBoard({ LIMIT_ANONYMOUS: "3" });
    const query = () => board.anonymous.graphql("{ viewer { id } }");
    const first = await query();
    expect([first.headers.get("x-ratelimit-limit"), first.headers.get("x-ratelimit-remaining")]).toEqual(["3", "2"]);
    expect((await board.anonymous.get("/tags.json")).headers.get("x-ratelimit-remaining")).toBe("1");
    expect((await query()).status).toBe(200);
    const refused = await query();
    expect(refused.status).toBe(421);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3500);
    expect(refused.json.errors[0]).toMatchObject({
      message: "hourly limit of 3 requests exceeded",
      extensions: { code: "THROTTLED", status: 421, reason: "hourly limit of 3 requests exceeded" },
    });
    expect((await board.anonymous.get("/tags.json")).status).toBe(421);
  });
});
