/** The pages' own documents, which the board knows by their hashes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as documents from "../../web/server/__generated__/documents.js";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard({ LIMIT_ANONYMOUS: "1000" });
  await test.make.post("harbour");
});
afterAll(() => test[Symbol.asyncDispose]());

const byHash = (sha256Hash: string, variables: object) =>
  test.anonymous.json("POST", "/graphql", { variables, extensions: { persistedQuery: { version: 1, sha256Hash } } });

describe("a document of the pages", () => {
  it("is found by its hash alone, from the start", async () => {
    const { status, json } = await byHash(documents.GalleryDocument.hash, { tags: "harbour", first: 40, page: "1" });
    expect([status, json.data.posts.totalCount]).toEqual([200, 1]);
  });

  it("counts as one request, and is refused where it costs more than 10,000 points", async () => {
    const { headers, json } = await byHash(documents.GalleryDocument.hash, { first: 100, page: "1" });
    expect(json.extensions.cost).toMatchObject({ limit: 10_000, requests: 1 });
    expect(json.extensions.cost.requested).toBeGreaterThan(1_000);
    const again = await byHash(documents.GalleryDocument.hash, { first: 100, page: "1" });
    const left = (answer: { headers: Headers }) => Number(answer.headers.get("x-ratelimit-remaining"));
    expect(left({ headers }) - left(again)).toBe(1);
    const dear = await byHash(documents.GalleryDocument.hash, { first: 1000, page: "1" });
    expect(dear.json.errors[0].message).toMatch(/costly \(\d+ of 10000\)/);
  });

  const gallery = documents.GalleryDocument;
  const ask = (body: object, accept = "application/json") =>
    test.anonymous.with({ accept }).json("POST", "/graphql", body);
  const asked = { persistedQuery: { version: 1, sha256Hash: gallery.hash } };
  /** What is the same for every answer to the same question. */
  const outcomeOf = ({ status, headers, text: body }: Answer) => [
    status,
    ...["content-type", "cache-control", "vary", "etag"].map((name) => headers.get(name)),
    body,
  ];

  it.each([
    ["a page", { tags: "harbour", first: 40, page: "1" }, "application/json"],
    ["a page, as GraphQL's own type", { tags: "harbour", first: 40 }, "application/graphql-response+json"],
    ["a search that can't be read", { tags: "a b c d e f g h i ".repeat(40) }, "application/json"],
    ["a variable of another type", { first: "many" }, "application/json"],
    ["a page that costs too much", { first: 1000 }, "application/json"],
  ])("is answered by its hash as by its text: %s", async (_, variables, accept) => {
    const answers = [];
    for (let times = 0; times < 3; times += 1) answers.push(await ask({ query: gallery.text, variables }, accept));
    const byText = outcomeOf(answers.at(-1) as Answer); // by then the document is compiled
    expect(outcomeOf(await ask({ extensions: asked, variables }, accept))).toEqual(byText);
  });

  it.each([
    ["a gallery: the page, how many there are", gallery, { tags: "", first: 40, page: "1" }, 2],
    [
      "a post: itself, its uploader, comments, the posts on either side",
      documents.PostDocument,
      { id: 1, tags: "" },
      5,
    ],
  ])("takes few statements where nothing was written: %s", async (_, { hash }, variables, most) => {
    const statements = async () => {
      const { headers } = await byHash(hash, variables);
      return statementsOf(test, headers.get("x-request-id"));
    };
    for (let times = 0; times < 3; times += 1) await statements();
    // other tests write to the same server, and tags are read again then
    let fewest = Infinity;
    for (let tries = 0; fewest > most && tries < 100; tries += 1) fewest = Math.min(fewest, await statements());
    expect(fewest).toBe(most);
  });

  it("is refused like any other document for an invalid body or an unsupported Accept", async () => {
    const refused = [
      await ask({ extensions: asked, variables: "none" }),
      await ask({ extensions: { persistedQuery: { version: 2, sha256Hash: gallery.hash } } }),
      await ask({ extensions: asked, variables: {}, operationName: "Other" }),
      await ask({ extensions: asked, variables: {} }, "text/html"),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 406]);
  });

  it("has the SHA-256 of its text as its hash", async () => {
    const all = Object.entries(documents as unknown as Record<string, { text: string; hash: string }>);
    expect(all.length).toBeGreaterThan(3);
    const { createHash } = await import("node:crypto");
    for (const [name, { text, hash }] of all)
      expect([name, createHash("sha256").update(text).digest("hex")]).toEqual([name, hash]);
  });
});

describe("a document of another client", () => {
  it("is not found by its hash", async () => {
    const { json } = await byHash("0".repeat(64), {});
    expect(json.errors[0].message).toBe("PersistedQueryNotFound");
  });

  it("counts by its cost, however similar to one of the pages'", async () => {
    const query = `${documents.GalleryDocument.text} `;
    const { json } = await test.anonymous.json("POST", "/graphql", { query, variables: { first: 40, page: "1" } });
    expect(json.extensions.cost.requests).toBeGreaterThan(1);
  });
});
