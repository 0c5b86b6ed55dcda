/** The OpenAPI document is true: every response of a small board is checked against it. */
import type { Element } from "xml-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toDashed } from "../../src/lib/case.js";
import type { Method, ResourceRow } from "../../rest/adapter/row.js";
import { table } from "../../rest/table.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { Contract, type Document, type Json } from "../support/openapi.js";

let test: TestBoard;
let contract: Contract;
let admin: TestUser;
let member: TestUser;
let post: TestPost;
let other: TestPost;

beforeAll(async () => {
  test = await startBoard();
  contract = new Contract((await test.anonymous.get("/openapi.json")).json as Document);
  admin = await test.make.user("Admin");
  member = await test.make.user();
  other = await test.make.post("sky sea");
  post = await test.make.post("sea ship artist:mira", { parent_id: other.id });
  await test.board.database.post.update({ where: { id: other.id }, data: { isBanned: true } });
});
afterAll(() => test[Symbol.asyncDispose]());

const key = ({ method, path }: Pick<ResourceRow, "method" | "path">): string => `${method} ${path}`;

/** What is wrong with an answer, by what was asked. */
const faultsOf = (row: Pick<ResourceRow, "method" | "path">, { status, json, headers }: Answer): string[] =>
  [...contract.answerFaults(row, status, json), ...contract.headerFaults(row, status, headers)].map(
    (fault) => `${key(row)} ${status}: ${fault}`,
  );

/** Writes that succeed, in this order; `$name` is the id of what an earlier one made. */
const WRITES: [as: "admin" | "member", operation: string, body: Json, made?: string][] = [
  ["member", "POST /posts/:post_id/votes", { score: "up" }],
  ["member", "DELETE /posts/:post_id/votes", {}],
  ["member", "PUT /posts/:post", { post: { rating: "q", tag_string: "sea ship artist:mira night", parent_id: null } }],
  ["member", "POST /post_flags", { post_flag: { post_id: "$post", reason: "blurred" } }],
  [
    "member",
    "POST /comments",
    { comment: { post_id: "$post", body: "A fine ship.", do_not_bump_post: true } },
    "comment",
  ],
  ["member", "PUT /comments/:comment", { comment: { body: "A very fine ship." } }],
  ["admin", "POST /comments/:comment_id/votes", { score: "up" }],
  ["member", "POST /dmails", { dmail: { to_name: "$admin", title: "Hello", body: "How do you do?" } }],
  ["member", "POST /favorites", { post_id: "$post" }],
  [
    "member",
    "POST /artists",
    { artist: { name: "mira", other_names: ["m", "mi"], url_string: "https://example.org/mira" } },
  ],
  [
    "member",
    "POST /artist_commentaries/create_or_update",
    { artist_commentary: { post_id: "$post", original_title: "Schiff", translated_title: "Ship" } },
  ],
  ["member", "POST /notes", { note: { post_id: "$post", x: 1, y: 2, width: 10, height: 20, body: "a sail" } }, "note"],
  ["member", "PUT /notes/:note", { note: { body: "a mast" } }],
  [
    "admin",
    "POST /pools",
    { pool: { name: "Ships", description: "At sea.", category: "series", post_ids: ["$post"] } },
    "pool",
  ],
  ["admin", "PUT /pools/:pool", { pool: { is_active: false } }],
  ["member", "POST /wiki_pages", { wiki_page: { title: "ship", body: "Floats. [[sea]]", other_names: ["boat"] } }],
  [
    "member",
    "POST /forum_topics",
    { forum_topic: { title: "Ships", original_post_attributes: { body: "Which?" }, category_id: 1 } },
    "topic",
  ],
  ["member", "POST /forum_posts", { forum_post: { topic_id: "$topic", body: "This one." } }],
  ["admin", "POST /users", { user: { name: "newcomer", password: "a good password" } }, "user"],
  ["member", "POST /session", { name: "$member", password: "$password" }],
  ["member", "DELETE /session", {}],
];

describe("writes", () => {
  it("accept JSON bodies and respond as described", async () => {
    const made: Record<string, unknown> = {
      post: post.id,
      post_id: post.id,
      member: member.name,
      admin: admin.name,
      password: member.password,
    };
    const fill = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_name, each: unknown) =>
        typeof each === "string" && each.startsWith("$") ? made[each.slice(1)] : each,
      );
    for (const [as, operation, body, name] of WRITES) {
      const [method = "", where = ""] = operation.split(" ");
      const path = where.replace(/:(\w+)/, (_, id: string) => String(made[id] ?? made[id.replace(/_id$/, "")]));
      const row = { method: method as Method, path: where.replace(/:(?!\w+_id)\w+/, ":id") };
      const filled = fill(body);
      const { client } = as === "admin" ? admin : member;
      const faults = Object.keys(body).length > 0 ? contract.bodyFaults(row, filled) : [];
      expect([operation, faults]).toEqual([operation, []]);
      const answer = await client.json(method, `${path}.json`, filled);
      expect([operation, answer.status, answer.json.reason]).toEqual([operation, 200, answer.json.reason]);
      expect(faultsOf(row, answer)).toEqual([]);
      if (name) made[name] = answer.json.id;
    }
  });

  const writes = table.filter(({ method }) => method !== "GET");

  it.each(writes.map((row) => [key(row), row] as const))("%s is refused as described", async (_name, row) => {
    const path = row.path.replace(/:\w+/g, "2000000000");
    for (const client of [test.anonymous, member.client]) {
      const answer = await client.json(row.method, `${path}.json`, {});
      expect(faultsOf(row, answer)).toEqual([]);
      const { xml } = await client.json(row.method, `${path}.xml`, {});
      expect([xml?.name, Object.keys(xml?.attributes ?? {}).slice(0, 2)]).toEqual(["response", ["success", "reason"]]);
    }
  });
});

describe("reads", () => {
  const reads = table.filter(({ method }) => method === "GET");
  const named = reads.map((row) => [key(row), row] as const);

  /** Required parameters, and what else makes an answer more than empty. */
  const QUERIES: Record<string, Record<string, string>> = {
    "GET /related_tag": { query: "sea" },
    "GET /autocomplete": { "search[query]": "s" },
    "GET /tags/autocomplete": { "search[query]": "s" },
  };

  /** The row's path with the number of a record that is there, as far as one is listed. */
  async function address(row: ResourceRow, client: Client): Promise<string> {
    if (row.path.includes(":post_id")) return row.path.replace(":post_id", String(post.id));
    if (!row.path.endsWith("/:id")) return row.path;
    const collection = row.path.slice(0, -"/:id".length);
    const { json } = await client.get(`${collection}.json`, { limit: 1 });
    return `${collection}/${(json as { id: number }[])[0]?.id ?? 2_000_000_000}`;
  }

  it.each(named)("%s responds as described", async (name, row) => {
    for (const client of [test.anonymous, member.client, admin.client]) {
      const answer = await client.get(`${await address(row, client)}.json`, QUERIES[name] ?? {});
      expect(faultsOf(row, answer)).toEqual([]);
      expect(client === admin.client ? answer.status : 200).toBeOneOf([200, 404]);
    }
  });

  it.each(named.filter(([, row]) => row.choice))("%s responds as described for every choice", async (_name, row) => {
    for (const word of Object.keys(row.choice?.others ?? {})) {
      const answer = await member.client.get(`${row.path}.json`, { [row.choice?.parameter ?? ""]: word });
      expect([answer.status, faultsOf(row, answer)]).toEqual([200, []]);
    }
  });

  it.each(named)("%s is refused as described", async (_name, row) => {
    const path = row.path.replace(/:\w+/g, "2000000000");
    for (const params of [{ page: "100000", limit: "x" }, { login: "nobody", api_key: "x" }, {}]) {
      expect(faultsOf(row, await test.anonymous.get(`${path}.json`, params))).toEqual([]);
    }
  });

  /** Names of elements that the schema has for an object, and for the items of its lists. */
  const elementsOf = (schema: Json): string[] =>
    Object.entries((schema.properties ?? {}) as Record<string, Json>).map(
      ([name, each]) => (each.xml as { name?: string } | undefined)?.name ?? name,
    );

  it.each(named.filter(([, row]) => !row.choice))("%s has the elements described in XML", async (name, row) => {
    const answer = await admin.client.get(`${await address(row, admin.client)}.xml`, QUERIES[name] ?? {});
    if (answer.status !== 200) return;
    const schema = contract.answerSchema(row, 200, "xml") ?? {};
    const isList = schema.type === "array";
    const record = contract.resolve(String(((isList ? schema.items : schema) as Json).$ref));
    const root = isList ? (schema.xml as Json).name : (record.xml as Json).name;
    expect(answer.xml?.name).toBe(root);
    const records = isList ? (answer.xml?.elements ?? []) : [answer.xml as Element];
    for (const each of records) {
      expect(each.name).toBe(toDashed(row.resource));
      const known = elementsOf(record);
      expect((each.elements ?? []).map((child) => child.name).filter((child) => !known.includes(child ?? ""))).toEqual(
        [],
      );
    }
  });

  it("of the usual lists returned records", async () => {
    const filled = ["/posts", "/comments", "/notes", "/note_versions", "/post_versions", "/uploads", "/users", "/tags"];
    for (const path of filled) {
      const { json } = await admin.client.get(`${path}.json`);
      expect([path, (json as unknown[]).length > 0]).toEqual([path, true]);
    }
  });
});
