/** Text stays text: it never becomes SQL, a prototype property, a header, or a document with external entities. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parametersOf, typeOf, withValue } from "../support/bad-parameters.js";
import type { Answer, Params } from "../support/client.js";
import { type Matrix, startMatrix } from "../support/matrix.js";
import { multipart, multipartInit } from "../support/multipart.js";
import { identifier } from "../../src/database/client.js";
import { isRead, type NamedRow, rows } from "../support/rest-rows.js";
import { readProjectFile } from "../support/project.js";
import { sourceFiles } from "../support/sources.js";
import { digestOf } from "../support/traces.js";

let matrix: Matrix;
beforeAll(async () => {
  matrix = await startMatrix();
}, 60_000);
afterAll(() => matrix[Symbol.asyncDispose]());

const reads = rows.filter(isRead);
const get = ([, row]: NamedRow, params: Params): Promise<Answer> => {
  const path = row.path.replace(/:(\w+)/g, () => String(matrix.stage.records.posts));
  return matrix.admin.client.get(`${path}.json`, params);
};

describe("SQL", () => {
  // without blanks, which part the words of a search
  const ENDINGS = [
    `'/**/OR/**/'1'='1`,
    `')/**/OR/**/('1'='1'--`,
    `';DELETE/**/FROM/**/posts;--`,
    `"/**/OR/**/1=1--`,
    `\\'/**/OR/**/1=1--`,
    `$$||(SELECT/**/1)||$$`,
    `$1`,
    `%27`,
    `\\`,
    `'||pg_sleep(20)||'`,
    `{}`,
    `:zqx`,
    `U&'\\0027`,
  ];

  it.each(reads)("in any text of %s finds nothing", async (...named) => {
    const { params } = await matrix.soundOf(named);
    const texts = parametersOf(named[1]).filter((field) => ["String", "[String!]"].includes(typeOf(field)));
    const before = await digestOf(matrix.test);
    for (const { path } of texts.filter(({ path: [first] }) => first !== "page" && first !== "only")) {
      const ask = (text: string) => get(named, withValue(params, path, text));
      const plain = await ask("zqx");
      expect(plain.status).toBeLessThan(500);
      for (const ending of ENDINGS) {
        const { status, text } = await ask(`zqx${ending}`);
        // what repeats the question says the word
        const found = text.replace(JSON.stringify(`zqx${ending}`.toLowerCase()), '"zqx"');
        expect([path, ending, status, found]).toEqual([path, ending, plain.status, plain.text]);
      }
    }
    expect(await digestOf(matrix.test)).toEqual(before);
  });

  const filesWith = (pattern: RegExp) => sourceFiles.filter((file) => pattern.test(readProjectFile(file)));

  it("is written only by Prisma and the `sql` tag, whose values are parameters and whose names are quoted", () => {
    expect(filesWith(/\$(query|execute)Raw|\bsql\(|Prisma\.(sql|raw|join|empty)/)).toEqual(["src/database/client.ts"]);
    for (const name of ["posts; DROP TABLE posts", 'a"b', "", "a b", "1"])
      expect(() => identifier(name)).toThrow("not the name of a table or column");
    expect(identifier("posts").text).toBe('"posts"');
  });

  it("is concatenated only from the database's own names, by code with its own connection", () => {
    expect(filesWith(/\bquery(<[^`(]*>)?\(\s*`[^`]*\$\{/)).toEqual([
      "src/database/bulk-load.ts", // names of constraints and indexes
      "src/database/deadline.ts", // a number of milliseconds
      "src/database/embedded/membership.ts", // a function of PostgreSQL's, the name of the database
      "src/database/migrate.ts", // an index that a migration left unfinished
      "src/operations/backup/backup.ts", // names of tables
      "src/operations/backup/restore.ts", // names of tables
      "src/operations/verify/verify.ts", // names of tables
      "src/runtime/events/events.ts", // a channel
    ]);
  });
});

describe("repeated parameters", () => {
  it.each([
    ["/posts.json?limit=2&limit=1", "/posts.json?limit=1"],
    ["/posts.json?page=1&page=b2", "/posts.json?page=b2"],
    ["/tags.json?search[name]=b&search[name]=a", "/tags.json?search[name]=a"],
  ])("of %s, the last one counts", async (repeated, last) => {
    const { client } = matrix.admin;
    const [answer, expected] = [await client.get(repeated), await client.get(last)];
    expect([answer.status, answer.json]).toEqual([200, expected.json]);
  });

  it("that contradict each other are never a 500", async () => {
    expect((await matrix.admin.client.get("/tags.json?search=x&search[name]=b")).status).toBeLessThan(500);
  });

  it("of credentials, the last ones are checked", async () => {
    const { name, apiKey } = matrix.admin;
    const key = encodeURIComponent(apiKey);
    const { anonymous } = matrix.test;
    const statusOf = async (query: string) => (await anonymous.get(`/profile.json?${query}`)).status;
    expect(await statusOf(`login=${name}&login=x&api_key=${key}`)).toBe(403);
    expect(await statusOf(`login=${name}&api_key=${key}&api_key=x`)).toBe(403);
    expect(await statusOf(`login=x&login=${name}&api_key=${key}`)).toBe(200);
  });

  it("the body overrides the query, and the path overrides both", async () => {
    const note = await matrix.stage.another("notes", { body: "before" });
    const other = await matrix.stage.another("notes", { body: "other" });
    const path = `/notes/${note}.json?note[body]=query&id=${other}&note[id]=${other}`;
    const { json } = await matrix.admin.client.put(path, {
      note: { body: "body", id: String(other) },
      id: String(other),
    });
    expect([json.id, json.body]).toEqual([note, "body"]);
  });
});

/** All objects are as they were: the server is in this very process. */
function expectNoPollution(): void {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
}

describe("names of Object.prototype's properties", () => {
  /** All that objects, functions, lists and texts have of their own accord, but the words that are parameters as well. */
  const NAMES = [Object, Function, Array, String]
    .flatMap((each) => ["prototype", ...Object.getOwnPropertyNames(each.prototype)])
    .filter((name, index, all) => all.indexOf(name) === index && !["name", "sort"].includes(name));

  /** Those of all objects. */
  const OF_OBJECTS = NAMES.filter((name) => name in {});

  it("are more than a few", () => {
    expect(NAMES.length).toBeGreaterThan(90);
    expect(NAMES).toEqual(
      expect.arrayContaining(["__proto__", "constructor", "hasOwnProperty", "call", "__defineGetter__"]),
    );
  });

  it.each(reads)("are ignored in the query of %s", async (...named) => {
    const { params } = await matrix.soundOf(named);
    const plain = await get(named, params);
    const keys = NAMES.flatMap((name): [string, string][] => [
      [`${name}][polluted`, "1"],
      [name, "1"],
    ]);
    const search = { ...(params.search as Params), ...Object.fromEntries(keys) };
    const beside = Object.fromEntries(NAMES.map((name) => [`${name}[polluted]`, "1"]));
    const answer = await get(named, { ...params, search, ...beside });
    expect([answer.status, answer.text]).toEqual([plain.status, plain.text]);
    expectNoPollution();
  });

  it("are not accepted as enum values, fields, choices, formats or meta-tags", async () => {
    const { client } = matrix.admin;
    for (const name of OF_OBJECTS) {
      const statuses = [
        await client.get(`/tags.json`, { search: { order: name } }),
        await client.get(`/comments.json`, { group_by: name }),
        await client.get(`/autocomplete.json`, { search: { query: "a", type: name } }),
        await client.get(`/posts.json`, { only: name }),
        await client.get(`/posts.${name}`),
        await client.get(`/${name}.json`),
        ...(await Promise.all(
          [`${name}:1`, `order:${name}`, `status:${name}`, `filetype:${name}`, name, `-${name}:x`].map((tags) =>
            client.get("/posts.json", { tags }),
          ),
        )),
      ].map(({ status }) => status);
      expect([name, ...statuses]).toEqual([name, 424, 424, 424, 200, 404, 404, 200, 200, 200, 200, 200, 200]);
    }
  });

  it("are ignored in bodies of any type", async () => {
    const { client } = matrix.admin;
    const hostile = NAMES.map((name) => `"${name}":{"polluted":1,"prototype":{"polluted":1}}`).join();
    const json = `{${hostile},"comment":{${hostile},"post_id":${matrix.stage.records.posts},"body":"x"}}`;
    const headers = { "content-type": "application/json" };
    expect((await client.send("/comments.json", { method: "POST", body: json, headers })).status).toBe(200);
    await client.send("/comments.json", {
      method: "POST",
      body: new URLSearchParams({
        "comment[__proto__][polluted]": "1",
        "__proto__[polluted]": "1",
        "comment[body]": "x",
      }),
    });
    for (const name of ["__proto__", "__proto__[polluted]", "upload[__proto__]", "constructor[prototype]"]) {
      const body = multipart([
        { name, content: "1" },
        { name, content: "1", filename: "a.png" },
        { name: "upload[rating]", content: "s" },
      ]);
      const { status } = await client.send("/uploads.json", multipartInit(body));
      expect([name, status]).toEqual([name, 424]);
    }
    expectNoPollution();
  });

  it("are ignored in variables and in the map of a GraphQL multipart request", async () => {
    const { client } = matrix.admin;
    const hostile = NAMES.map((name) => `"${name}":{"polluted":1}`).join();
    const variables = JSON.parse(`{${hostile},"tags":"x"}`) as Record<string, unknown>;
    const query = "query($tags: String) { posts(tags: $tags) { totalCount } }";
    expect((await client.graphql(query, variables)).status).toBe(200);
    for (const path of [
      "__proto__.polluted",
      "variables.__proto__.polluted",
      "constructor.prototype.polluted",
      "__proto__",
    ]) {
      const form = new FormData();
      form.append("operations", JSON.stringify({ query: "{ viewer { id } }", variables: {} }));
      form.append("map", JSON.stringify({ "0": [path] }));
      form.append("0", new Blob(["x"]), "a.png");
      const headers = { "apollo-require-preflight": "true" };
      const { status } = await client.send("/graphql", { method: "POST", body: form, headers });
      expect([path, status]).toEqual([path, 424]);
    }
    expectNoPollution();
  });
});

describe("headers", () => {
  /** As it is written, which `fetch` would not send. */
  const raw = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
      const asking = request(`${matrix.test.url}${path}`, { headers }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      asking.on("error", reject).end();
    });

  it("can't be injected by paths, parameters and names", async () => {
    const line = "%0d%0aX-Evil:%201%0d%0aSet-Cookie:%20evil=1";
    const { client } = matrix.admin;
    const answers = [
      await client.get(`/posts${line}.json`),
      await client.get(`/posts.json?tags=${line}&page=${line}&only=${line}`),
      await client.get(`/wiki_pages/${line}.json`),
      await client.get(`/data/${line}`),
      await client.post("/session.json", { name: "a\r\nX-Evil: 1", password: "x\r\nX-Evil: 1" }),
      await client.post("/users.json", { user: { name: "a\r\nX-Evil: 1", password: "a good one" } }),
    ];
    for (const { headers, status } of answers)
      expect([status < 500, headers.get("x-evil"), headers.getSetCookie()]).toEqual([true, null, []]);
  });

  it("X-Request-Id is accepted only as one plain word", async () => {
    const ids = await Promise.all(
      ["evil <script>", "a;b", "x".repeat(65)].map(
        async (id) => (await raw("/tags.json", { "x-request-id": id })).headers,
      ),
    );
    for (const headers of ids) expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("a Host with characters of XML does no harm in file URLs", async () => {
    const { text, headers } = await raw("/posts.xml?limit=1", { host: "evil&lt;script&gt;" });
    expect(text).toContain("http://evil&amp;lt;script&amp;gt;/data/");
    expect(headers["cache-control"]).toBe("no-cache");
  });
});

it("XML bodies are not parsed: no DTD, no entities, no files", async () => {
  const body = `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><comment><body>&e;</body></comment>`;
  const headers = { "content-type": "application/xml" };
  const { status, text } = await matrix.admin.client.send("/comments.xml", { method: "POST", body, headers });
  expect([status, text.includes("root:")]).toEqual([424, false]);
});
