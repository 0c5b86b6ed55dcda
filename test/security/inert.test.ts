/** No browser interprets stored text as HTML or script, wherever it is shown. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ResourceRow } from "../../rest/adapter/row.js";
import { nameOf, parametersOf, typeOf, withValue } from "../support/bad-parameters.js";
import type { Answer } from "../support/client.js";
import { type Matrix, startMatrix } from "../support/matrix.js";
import { ASKED, isRead, rows, sendTo, tableOf } from "../support/rest-rows.js";

const HOSTILE = `<script>alert(1)</script>'"><img src=x onerror=alert(2)><svg/onload=alert(3)>]]><!--&lt;%3Cscript%3E`;
/** The same without blanks and what names may not have, and in the form of a URL. */
const NAME = `<script>alert(1)</script>'"><svg/onload=alert(3)>`;
const URL_TEXT = `https://a.example/"><script>alert(1)</script>`;

let matrix: Matrix;
const taken = new Set<string>();
let serial = 0;

/** Each text of each write set to the hostile one, in whatever form is taken. */
async function storeEverywhere(): Promise<void> {
  for (const named of rows.filter((row) => !isRead(row) && row[1].resource !== "session")) {
    const texts = parametersOf(named[1]).filter((field) => typeOf(field) === "String");
    for (const { path } of texts.filter(({ path: each }) => !/password|md5/.test(each.at(-1) ?? ""))) {
      for (const text of [`${HOSTILE}${(serial += 1)}`, `${NAME}${serial}`, `${URL_TEXT}${serial}`]) {
        const { row, path: where, params } = await matrix.soundOf(named);
        const { status } = await sendTo(matrix.admin.client, row, `${where}.json`, withValue(params, path, text));
        expect(status).toBeLessThan(500);
        if (status === 200) taken.add(nameOf(path));
      }
    }
  }
}

beforeAll(async () => {
  matrix = await startMatrix();
  await storeEverywhere();
}, 120_000);
afterAll(() => matrix[Symbol.asyncDispose]());

/** The records of the row: its list, and where it shows one, the latest few. */
async function pathsOf(row: ResourceRow): Promise<string[]> {
  if (row.path.includes(":post_id")) return [row.path.replace(":post_id", String(matrix.stage.records.posts))];
  if (!row.path.includes(":id")) return [row.path];
  const { pool } = matrix.test.board;
  const latest = await pool.query<{ id: number }>(`SELECT id FROM ${tableOf(row)} ORDER BY id DESC LIMIT 3`);
  return latest.rows.map(({ id }) => row.path.replace(":id", String(id)));
}

/** The headers that tell a browser how to treat a response. */
const nature = ({ headers }: Answer) => ({
  type: headers.get("content-type"),
  sniff: headers.get("x-content-type-options"),
  policy: headers.get("content-security-policy"),
});
const NATURE = { sniff: "nosniff", policy: "default-src 'none';frame-ancestors 'none'" };
const JSON_NATURE = { ...NATURE, type: "application/json; charset=utf-8" };
const XML_NATURE = { ...NATURE, type: "application/xml; charset=utf-8" };
const MARKUP = /<(script|img|svg)|<!--|\]\]>/i;

it("most stored texts accepted the hostile text", () => {
  const some = ["comment[body]", "dmail[title]", "note[body]", "post[source]", "pool[description]", "wiki_page[body]"];
  expect([...taken]).toEqual(expect.arrayContaining(some));
  expect(taken.size).toBeGreaterThan(20);
});

describe("hostile text in the response of", () => {
  it.each(rows.filter(isRead))("%s", async (name, row, chosen) => {
    const params = { ...ASKED[name], ...chosen, limit: "1000" };
    for (const path of await pathsOf(row)) {
      const json = await matrix.admin.client.get(`${path}.json`, params);
      const xml = await matrix.admin.client.get(`${path}.xml`, params);
      expect([json.status, xml.status]).toEqual([200, 200]);
      expect([nature(json), nature(xml)]).toEqual([JSON_NATURE, XML_NATURE]);
      expect(xml.text).not.toMatch(MARKUP);
      expect(xml.xml).toBeDefined();
    }
  });
});

describe("hostile text", () => {
  it("is shown as written, as text", async () => {
    const { json } = await matrix.admin.client.get("/comments.json", {
      search: { body_matches: "*onerror*" },
      limit: 1,
    });
    expect(json[0].body).toContain(HOSTILE);
    const { text } = await matrix.admin.client.get("/comments.xml", { limit: "1000" });
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  it("of a request is escaped in the error", async () => {
    const { client } = matrix.admin;
    const asked = encodeURIComponent(HOSTILE);
    const answers = [
      await client.get(`/posts.json?page=${asked}`),
      await client.get(`/posts/${asked}.json`),
      await client.get(`/${asked}`),
      await client.get(`/data/${asked}`),
      await client.get(`/posts.json?${asked}=${asked}&search[${asked}]=1`),
      await client.json("POST", "/graphql", { query: HOSTILE }),
      await client.json("POST", "/graphql", { query: `{ ${NAME} }`, operationName: HOSTILE }),
    ];
    for (const answer of answers) expect(nature(answer)).toEqual(JSON_NATURE);
    const xml = await client.get(`/posts.xml?limit=${asked}`);
    expect([nature(xml), xml.status, MARKUP.test(xml.text)]).toEqual([XML_NATURE, 424, false]);
  });
});

describe("our own pages", () => {
  it.each(["/docs", "/graphql"])("%s runs only our own script and can't be framed", async (path) => {
    const answer = await matrix.test.anonymous.with({ accept: "text/html" }).get(path);
    const { policy, type } = nature(answer);
    expect(type).toBe("text/html; charset=utf-8");
    expect(policy).toMatch(/script-src '(self|sha256-[\w+/=]+)';/);
    for (const part of ["base-uri 'none'", "object-src 'none'", "form-action 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(answer.text).not.toMatch(/\son\w+=["']/);
  });
});
