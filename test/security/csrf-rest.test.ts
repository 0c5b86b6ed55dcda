/**
 * No write of the REST interface is run for another site's page, which has only the visitor's cookies.
 * Generated for each row of the table: forms, texts that contain JSON, links, and method overrides.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer, Client, Params } from "../support/client.js";
import { FOREIGN, formBodies } from "../support/cross-site.js";
import { type Matrix, startMatrix } from "../support/matrix.js";
import { isRead, rows } from "../support/rest-rows.js";
import { signIn } from "../support/session.js";
import { digestOf, filesOf } from "../support/traces.js";

let matrix: Matrix;
let browser: Client;
beforeAll(async () => {
  matrix = await startMatrix();
  ({ client: browser } = await signIn(matrix.test.anonymous, matrix.admin));
}, 60_000);
afterAll(() => matrix[Symbol.asyncDispose]());

const REASON = "cookie writes need the Origin of this site or an X-CSRF-Token header";
const traces = async () => ({ tables: await digestOf(matrix.test), files: await filesOf(matrix.test) });
const writes = rows.filter((row) => !isRead(row));

const outcomeOf = ({ status, json }: Answer) => [status, (json as { reason: string }).reason];

describe("a write from another site's page is refused and changes nothing", () => {
  it.each(writes.filter(([, { path, method }]) => path !== "/session" && method !== "GET"))("%s", async (...named) => {
    const { row, path, params } = await matrix.soundOf(named);
    const before = await traces();
    const answers: Answer[] = [];
    for (const { headers } of FOREIGN) {
      const page = browser.with(headers);
      for (const body of formBodies(params))
        answers.push(await page.send(`${path}.json`, { method: row.method, ...body }));
      answers.push(await page.post(`${path}.json`, { _method: row.method.toLowerCase(), ...params }));
    }
    expect(answers.map(outcomeOf)).toEqual(answers.map(() => [403, REASON]));
    await expect.poll(traces).toEqual(before);
  });

  it("GET /dmails/{id}, which marks as read, when the browser reports a link from another site", async () => {
    const id = await matrix.stage.another("dmails", {
      owner_id: matrix.admin.id,
      from_id: matrix.admin.id,
      is_read: false,
    });
    const saying = FOREIGN.filter(({ headers }) => Object.keys(headers).length > 0);
    for (const { headers } of saying)
      expect(outcomeOf(await browser.with(headers).get(`/dmails/${id}.json`))).toEqual([403, REASON]);
    const { isRead: wasRead } = await matrix.test.board.database.dmail.findUniqueOrThrow({ where: { id } });
    expect(wasRead).toBe(false);
    const byHand = browser.with({ "sec-fetch-site": "none" });
    for (const own of [byHand, browser]) expect((await own.get(`/dmails/${id}.json`)).status).toBe(200);
  });

  it("DELETE /session, so that no other site can sign a user out", async () => {
    for (const { headers } of FOREIGN) {
      const answer = await browser.with(headers).delete("/session.json");
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
  });

  it("DELETE /session by a form, with which browsers don't send the cookies, but accept their removal", async () => {
    const { anonymous } = matrix.test;
    for (const { name: way, headers } of FOREIGN.filter((each) => Object.keys(each.headers).length > 0)) {
      const answer = await anonymous.with(headers).post("/session.json", { _method: "delete" });
      expect([way, answer.status, answer.headers.getSetCookie()]).toEqual([way, 403, []]);
    }
  });

  it("POST /session, so that no other site can sign a user in as somebody else", async () => {
    const { name, password } = await matrix.test.make.user();
    for (const { name: way, headers } of FOREIGN.filter((each) => Object.keys(each.headers).length > 0)) {
      for (const body of formBodies({ name, password }).slice(0, 2)) {
        const answer = await matrix.test.anonymous.with(headers).send("/session", { method: "POST", ...body });
        expect([way, answer.status, answer.headers.getSetCookie()]).toEqual([way, 403, []]);
      }
    }
  });
});

describe("a GET writes nothing, whatever method override it has", () => {
  it.each(writes.filter(([, { method }]) => method !== "GET"))("%s", async (...named) => {
    const { row, path, params } = await matrix.soundOf(named);
    const before = await traces();
    const hidden: Params = { ...params, _method: row.method };
    // nor does one of this site's own pages, or with a key
    for (const client of [browser, browser.with({ origin: matrix.test.url }), matrix.admin.client]) {
      await client.get(`${path}.json`, hidden);
      await client.with({ "x-http-method-override": row.method }).get(`${path}.json`, params);
      await client.send(`${path}.json?_method=${row.method}`, { method: "HEAD" });
    }
    expect(await traces()).toEqual(before);
  });
});

it("a page of this site can write with cookies only", async () => {
  const { path, params } = await matrix.soundOf(rows.find(([name]) => name === "POST /notes") ?? writes[0]!);
  const own = browser.with({ origin: matrix.test.url, "sec-fetch-site": "same-origin" });
  expect((await own.post(`${path}.json`, params)).status).toBe(200);
});
