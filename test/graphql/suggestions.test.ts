/** The hourly limit of suggestions, which are requested with each key. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SuggestDocument } from "../../web/parts/__generated__/suggest.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";

const LIMITS = { LIMIT_ANONYMOUS: "5", LIMIT_MEMBER: "7", LIMIT_SUGGESTIONS: "8", TRUST_PROXY: "1" };

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard(LIMITS);
  await test.make.post("harbour");
});
afterAll(() => test[Symbol.asyncDispose]());

let addresses = 0;
/** A visitor from an address that nobody used before. */
const visitor = (): Client => test.anonymous.with({ "x-forwarded-for": `198.51.100.${(addresses += 1)}` });

const SUGGEST = 'autocomplete(search: { query: "har" }) { nodes { value } }';
const suggest = (client: Client): Promise<Answer> => client.graphql(`{ ${SUGGEST} }`);
const suggestByHash = (client: Client): Promise<Answer> => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: SuggestDocument.hash } };
  return client.json("POST", "/graphql", { operationName: "Suggest", variables: { query: "har" }, extensions });
};

async function use(times: number, ask: () => Promise<Answer>): Promise<Answer> {
  let last = await ask();
  for (let count = 1; count < times; count += 1) last = await ask();
  return last;
}
const left = ({ headers }: Answer): string | null => headers.get("x-ratelimit-remaining");
const refusalIn = ({ json }: Answer) => json.errors?.[0]?.extensions;
const TOO_MANY = { code: "THROTTLED", status: 421, reason: "hourly limit of 8 suggestions exceeded" };

describe.each([
  ["with their document", suggest],
  ["by its hash, as the pages do", suggestByHash],
])("suggestions that are asked for %s", (_, ask) => {
  it("do not count towards the hourly limit of requests", async () => {
    const client = visitor();
    const last = await use(8, () => ask(client));
    expect(last.json.data.autocomplete.nodes[0].value).toBe("harbour");
    expect([last.json.extensions.cost.requests, left(last)]).toEqual([0, "5"]);
    expect(left(await client.get("/tags.json"))).toBe("4");
  });

  it("have a limit of their own, and count as requests beyond it", async () => {
    const client = visitor();
    await use(8, () => ask(client));
    const refused = await ask(client);
    expect(refusalIn(refused)).toMatchObject({
      ...TOO_MANY,
      retryAfter: Number(refused.headers.get("retry-after")),
    });
    expect(left(await client.get("/tags.json"))).toBe("3");
    expect(refusalIn(await ask(visitor()))).toBeUndefined();
  });

  it("are counted by user, from any address", async () => {
    const user = await test.make.user("Member");
    const from = (address: string) => user.client.with({ "x-forwarded-for": address });
    await use(8, () => ask(from("192.0.2.1")));
    expect(refusalIn(await ask(from("192.0.2.2")))).toMatchObject(TOO_MANY);
  });

  it("are refused when no requests are left", async () => {
    const client = visitor();
    await use(5, () => client.get("/tags.json"));
    expect((await ask(client)).status).toBe(421);
  });
});

describe("a document with other fields beside suggestions", () => {
  it.each([
    ["something else", `{ ${SUGGEST} viewer { id } }`, 2],
    ["further suggestions", `{ ${SUGGEST} more: ${SUGGEST} }`, 2],
    ["the name of a type", `{ __typename ${SUGGEST} }`, 2],
  ])("%s: counts as requests", async (_, document, requests) => {
    const answer = await visitor().graphql(document);
    expect(answer.json.extensions.cost.requests).toBe(requests);
    expect(left(answer)).toBe(String(5 - requests));
  });
});
