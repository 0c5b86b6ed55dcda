/**
 * No mutation is run for another site's page, which has only the visitor's cookies. Generated for each
 * mutation of the schema: forms, texts that contain JSON, multipart, links, JSON sent in spite of CORS.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer, Client } from "../support/client.js";
import { FOREIGN } from "../support/cross-site.js";
import { type Matrix, startMatrix } from "../support/matrix.js";
import { mutations } from "../support/permission-walk.js";
import { signIn } from "../support/session.js";
import { digestOf, filesOf } from "../support/traces.js";

let matrix: Matrix;
let browser: Client;
beforeAll(async () => {
  matrix = await startMatrix();
  ({ client: browser } = await signIn(matrix.test.anonymous, matrix.admin));
}, 60_000);
afterAll(() => matrix[Symbol.asyncDispose]());

const traces = async () => ({ tables: await digestOf(matrix.test), files: await filesOf(matrix.test) });

interface Operation {
  query: string;
  variables: object;
}

async function operationOf(field: string): Promise<Operation> {
  const input = (await matrix.recipes[field]?.(matrix.admin, matrix.admin)) ?? {};
  const type = mutations.find(({ name }) => name === field)?.args[0]?.type;
  const [head, argument] = type ? [`($input: ${String(type)})`, "(input: $input)"] : ["", ""];
  return { query: `mutation${head} { ${field}${argument} { __typename } }`, variables: { input } };
}

/** The operation in every body that a page can send without asking for permission, and in the one for which it has to. */
function bodiesOf(operation: Operation): RequestInit[] {
  const json = JSON.stringify(operation);
  const fields = { query: operation.query, variables: JSON.stringify(operation.variables) };
  const multipart = new FormData();
  multipart.append("operations", json);
  multipart.append("map", "{}");
  return [
    { body: json, headers: { "content-type": "text/plain" } },
    { body: json, headers: { "content-type": "text/plain; application/json" } },
    { body: new Blob([json]) },
    { body: new URLSearchParams(fields) },
    { body: multipart },
    { body: json, headers: { "content-type": "application/json" } },
  ];
}

const outcome = ({ status, json }: Answer): unknown => [status >= 400, (json as { data?: unknown } | undefined)?.data];
const REFUSED = [true, undefined];

describe("a mutation from another site's page is refused and changes nothing", () => {
  it.each(mutations.map(({ name }) => name).filter((name) => name !== "createSession"))("%s", async (field) => {
    const operation = await operationOf(field);
    const before = await traces();
    const answers: Answer[] = [];
    for (const { headers } of FOREIGN) {
      for (const init of bodiesOf(operation))
        answers.push(await browser.with(headers).send("/graphql", { method: "POST", ...init }));
    }
    expect(answers.map(outcome)).toEqual(answers.map(() => REFUSED));
    expect(await traces()).toEqual(before);
  });

  it("createSession, so that no other site can sign a user in as somebody else", async () => {
    const operation = await operationOf("createSession");
    for (const { name, headers } of FOREIGN.slice(0, -1)) {
      const page = matrix.test.anonymous.with(headers);
      for (const init of bodiesOf(operation)) {
        const answer = await page.send("/graphql", { method: "POST", ...init });
        expect([name, answer.json.data?.createSession ?? null, answer.headers.getSetCookie()]).toEqual([
          name,
          null,
          [],
        ]);
      }
    }
  });
});

describe("a link can't write", () => {
  it.each(mutations.map(({ name }) => name))("%s by GET", async (field) => {
    const { query, variables } = await operationOf(field);
    const before = await traces();
    const params = { query, variables: JSON.stringify(variables) };
    const plain = await browser.with({ accept: "application/json" }).get("/graphql", params);
    // as nobody but a program or a page of this site can send it
    const headers = { accept: "application/json", "apollo-require-preflight": "true" };
    const permitted = await browser.with({ ...headers, origin: matrix.test.url }).get("/graphql", params);
    expect([plain, permitted].map(({ status, json }) => [status, json.data])).toEqual([
      [403, undefined],
      [405, undefined],
    ]);
    expect(await traces()).toEqual(before);
  });
});

it("a page of this site can write with cookies only", async () => {
  const own = browser.with({ origin: matrix.test.url, "sec-fetch-site": "same-origin" });
  const answer = await own.json("POST", "/graphql", await operationOf("createNote"));
  expect([answer.status, answer.json.data]).toEqual([200, { createNote: { __typename: "CreateNotePayload" } }]);
});
