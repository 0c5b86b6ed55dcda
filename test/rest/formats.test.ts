/** Exact responses in JSON and XML. */
import { xml2js } from "xml-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestPost, TestUser } from "../support/factory.js";

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const TIME = new Date("2026-01-02T03:04:05.678Z");

let test: TestBoard;
let user: TestUser;
let post: TestPost;
let tag: number;
beforeAll(async () => {
  test = await startBoard();
  user = await test.make.user("Member", "Alma");
  post = await test.make.post("one_tag");
  const data = { name: "k&r<b>", category: 4, postCount: 7, createdAt: TIME, updatedAt: TIME };
  ({ id: tag } = await test.board.database.tag.create({ data }));
});
afterAll(() => test[Symbol.asyncDispose]());

describe("a read in JSON", () => {
  it("of one record is the bare object, its times with milliseconds and a numeric offset", async () => {
    const { status, headers, text } = await test.anonymous.get(`/tags/${tag}.json`);
    expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(text).toBe(
      `{"id":${tag},"name":"k&r<b>","post_count":7,"category":4,"is_locked":false,"is_deprecated":false,"words":["k","r","b"],` +
        '"created_at":"2026-01-02T03:04:05.678+00:00","updated_at":"2026-01-02T03:04:05.678+00:00"}',
    );
  });

  it("of a list is the bare array", async () => {
    const { text } = await test.anonymous.get("/tags.json", { search: { id: tag }, only: "id,post_count" });
    expect(text).toBe(`[{"id":${tag},"post_count":7}]`);
    expect((await test.anonymous.get("/tags.json", { search: { id: 0 } })).text).toBe("[]");
  });

  it("has null for missing values, and an empty string for no source", async () => {
    const { json } = await test.anonymous.get(`/posts/${post.id}.json`, { only: "parent_id,source,approver_id" });
    expect(json).toEqual({ parent_id: null, source: "", approver_id: null });
  });
});

describe("a read in XML", () => {
  it("of one record has dashes, types, and times without a fraction", async () => {
    const { status, headers, text } = await test.anonymous.get(`/tags/${tag}.xml`);
    expect([status, headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
    expect(text).toBe(
      `${DECLARATION}<tag><id type="integer">${tag}</id><name>k&amp;r&lt;b&gt;</name>` +
        '<post-count type="integer">7</post-count><category type="integer">4</category>' +
        '<is-locked type="boolean">false</is-locked><is-deprecated type="boolean">false</is-deprecated>' +
        '<words type="array"><word>k</word><word>r</word><word>b</word></words>' +
        '<created-at type="dateTime">2026-01-02T03:04:05+00:00</created-at>' +
        '<updated-at type="dateTime">2026-01-02T03:04:05+00:00</updated-at></tag>',
    );
  });

  it("of a list has an array as its root, also without records", async () => {
    const { text } = await test.anonymous.get("/tags.xml", { search: { id: tag }, only: "id,name" });
    expect(text).toBe(
      `${DECLARATION}<tags type="array"><tag><id type="integer">${tag}</id><name>k&amp;r&lt;b&gt;</name></tag></tags>`,
    );
    const empty = await test.anonymous.get("/post_versions.xml", { search: { id: 0 } });
    expect(empty.text).toBe(`${DECLARATION}<post-versions type="array"/>`);
  });

  it("has nil with a type for missing values, and an empty element for an empty string", async () => {
    const { text } = await test.anonymous.get(`/posts/${post.id}.xml`, { only: "id,parent_id,source,last_noted_at" });
    expect(text).toBe(
      `${DECLARATION}<post><id type="integer">${post.id}</id><source></source>` +
        '<parent-id type="integer" nil="true"/><last-noted-at type="dateTime" nil="true"/></post>',
    );
  });

  it("has lists of strings and of records as arrays", async () => {
    const { text } = await test.anonymous.get("/post_versions.xml", { only: "added_tags,removed_tags" });
    expect(text).toBe(
      `${DECLARATION}<post-versions type="array"><post-version><added-tags type="array">` +
        '<added-tag>lowres</added-tag><added-tag>one_tag</added-tag></added-tags><removed-tags type="array"/>' +
        "</post-version></post-versions>",
    );
    const { xml } = await test.anonymous.get(`/posts/${post.id}.xml`, { only: "media_asset" });
    const [asset] = xml?.elements ?? [];
    const variants = asset?.elements?.find(({ name }) => name === "variants");
    expect([asset?.name, variants?.attributes]).toEqual(["media-asset", { type: "array" }]);
    expect(new Set(variants?.elements?.map(({ name }) => name))).toEqual(new Set(["variant"]));
  });

  it("of any text is valid, without characters that XML doesn't allow", async () => {
    const source = "a \u0001\u0008\u000b\u001f\ufffe\uffff<b> & &amp; &lt; ]]> \"'\u{1f431} é end";
    const { client } = await test.make.user("Contributor");
    const written = await client.put(`/posts/${post.id}.json`, { post: { source } });
    const { text } = await test.anonymous.get(`/posts/${post.id}.xml`, { only: "source" });
    const root = xml2js(text, { compact: true }) as { post: { source: { _text: string } } };
    expect(written.status).toBe(200);
    expect(root.post.source._text).toBe(`a <b> & &amp; &lt; ]]> "'\u{1f431} é end`);
  });
});

describe("a write", () => {
  it("that succeeds is the envelope with the record in JSON", async () => {
    const { status, json } = await user.client.post(`/posts/${post.id}/votes.json`, { score: "up" });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      reason: "",
      id: expect.any(Number) as number,
      post_id: post.id,
      user_id: user.id,
      score: 1,
      created_at: expect.stringMatching(/\.\d{3}\+00:00$/) as string,
      updated_at: expect.stringMatching(/\.\d{3}\+00:00$/) as string,
    });
    expect(Object.keys(json as object).slice(0, 2)).toEqual(["success", "reason"]);
  });

  it("that succeeds is one empty element in XML", async () => {
    const { status, text } = await user.client.delete(`/posts/${post.id}/votes.xml`);
    expect([status, text]).toEqual([200, `${DECLARATION}<response success="true" reason=""/>`]);
  });

  it("that fails has the reason: 403, 404, 424", async () => {
    const path = `/posts/${post.id}/votes`;
    const refusals = [
      [await test.anonymous.post(`${path}.json`, { score: "up" }), 403, "login required", null],
      [await user.client.post("/posts/2000000000/votes.json", { score: "up" }), 404, "not found", null],
      [await user.client.post(`${path}.json`), 424, "score is required", "is required"],
      [
        await user.client.post(`${path}.json`, { score: "left" }),
        424,
        "score must be one of up, down",
        "must be one of up, down",
      ],
    ] as const;
    for (const [{ status, text }, expected, reason, score] of refusals) {
      const errors = score === null ? {} : { errors: { score: [score] } };
      const body = JSON.stringify({ success: false, reason, message: reason, ...errors });
      expect([status, text]).toEqual([expected, body]);
    }
    const { status, text } = await user.client.post(`${path}.xml`, { score: "left" });
    expect([status, text]).toEqual([
      424,
      `${DECLARATION}<response success="false" reason="score must be one of up, down"/>`,
    ]);
  });

  it("that fails validation has the errors by field in JSON; their messages are the reason", async () => {
    const params = { user: { name: "a b", password: "1234" } };
    const { status, json } = await test.anonymous.post("/users.json", params);
    const reason = "name is invalid, password is too short (at least 8 characters)";
    const errors = { name: ["is invalid"], password: ["is too short (at least 8 characters)"] };
    expect([status, json]).toEqual([420, { success: false, reason, message: reason, errors }]);
    const { text } = await test.anonymous.post("/users.xml", params);
    expect(text).toBe(`${DECLARATION}<response success="false" reason="${reason}"/>`);
  });
});

describe("only=", () => {
  it("selects top-level fields, and ignores unknown names, blanks and text in brackets", async () => {
    const get = async (only: string) => (await test.anonymous.get(`/tags/${tag}.json`, { only })).json as unknown;
    expect(await get("name")).toEqual({ name: "k&r<b>" });
    expect(await get(" id , name,nothing,creator[name]")).toEqual({ id: tag, name: "k&r<b>" });
    expect(await get("id[post[creator[name,id],score],category],name")).toEqual({ id: tag, name: "k&r<b>" });
    expect(await get("id],name[")).toEqual({ id: tag, name: "k&r<b>" });
    expect(await get("nothing")).toEqual({});
    expect(Object.keys((await get(" ")) as object).length).toBe(9);
  });

  it("may be a list", async () => {
    const get = async (only: string) => (await test.anonymous.get(`/tags/${tag}.json?${only}`)).json as unknown;
    expect(await get("only[]=id&only[]=name,nothing[x]")).toEqual({ id: tag, name: "k&r<b>" });
    expect(await get("only[1]=name")).toEqual({ name: "k&r<b>" });
    expect(Object.keys((await get("only[]=")) as object).length).toBe(9);
  });

  it("424 for a text that is longer than any list of fields, and for anything else", async () => {
    for (const only of [`only=${"[".repeat(10_001)}`, "only[name]=id", "only[][name]=id"]) {
      const { status, json } = await test.anonymous.get(`/tags/${tag}.json?${only}`);
      expect([status, json.reason]).toEqual([424, "only is invalid"]);
    }
  });

  it("does not affect writes", async () => {
    const { json } = await user.client.put(`/posts/${post.id}.json`, { post: { rating: "q" }, only: "id" });
    expect([json.success, json.id, json.rating]).toEqual([true, post.id, "q"]);
  });
});
