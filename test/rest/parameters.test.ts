/** Parameters mean the same wherever they are sent and however they are written. */
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client, Params } from "../support/client.js";
import type { TestPost } from "../support/factory.js";
import { multipart, multipartInit } from "../support/multipart.js";

let test: TestBoard;
let client: Client;
let parent: TestPost;
let post: TestPost;
let show: string;
beforeAll(async () => {
  test = await startBoard();
  ({ client } = await test.make.user());
  parent = await test.make.post("parent_tag");
});
beforeEach(async () => {
  post = await test.make.post("first_tag", { parent_id: parent.id, source: "a book" });
  show = `/posts/${post.id}.json`;
});
afterAll(() => test[Symbol.asyncDispose]());

const now = async (fields = "tag_string,rating,source,parent_id"): Promise<unknown> =>
  (await test.anonymous.get(show, { only: fields })).json;
const idsOf = async (path: string, params: Params): Promise<number[]> =>
  ((await test.anonymous.get(path, params)).json as { id: number }[]).map(({ id }) => id);

describe("the body of a write", () => {
  const attributes = { tag_string: "second_tag lowres", rating: "q", source: "a magazine", parent_id: "" };
  const changed = { tag_string: "lowres second_tag", rating: "q", source: "a magazine", parent_id: null };

  it("is a form with bracket names", async () => {
    expect((await client.put(show, { post: attributes })).status).toBe(200);
    expect(await now()).toEqual(changed);
  });

  it("is a multipart form", async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(attributes)) body.append(`post[${name}]`, value);
    expect((await client.send(show, { method: "PUT", body })).status).toBe(200);
    expect(await now()).toEqual(changed);
  });

  it("is JSON, nested or with bracket names outside", async () => {
    expect((await client.json("PUT", show, { post: attributes })).status).toBe(200);
    expect(await now()).toEqual(changed);
    expect((await client.json("PUT", show, { rating: "e", source: "bare" })).status).toBe(200);
    expect(await now("rating,source")).toEqual({ rating: "e", source: "bare" });
  });

  it("is JSON whose names have brackets, also beside nested ones", async () => {
    const body = { "post[rating]": "q", post: { source: "nested" }, "post[tag_string]": "lowres second_tag" };
    expect((await client.json("PUT", show, body)).status).toBe(200);
    expect(await now("rating,source,tag_string")).toEqual({
      tag_string: changed.tag_string,
      rating: "q",
      source: "nested",
    });
    const deep = await client.json("PUT", show, { "post[a][b][c][d][e][f]": 1 });
    expect([deep.status, deep.json.reason]).toEqual([424, "too many or too deeply nested parameters"]);
    expect(await now("rating")).toEqual({ rating: "q" });
  });

  it.each([
    ["JSON", "application/json", '{"post":{"source":"marked json"}}', "marked json"],
    ["a form", "application/x-www-form-urlencoded", "post[source]=marked+form", "marked form"],
  ])("may begin with a byte order mark: %s", async (_, type, body, source) => {
    const init = { method: "PUT", body: `\ufeff${body}`, headers: { "content-type": type } };
    const { status, json } = await client.send(show, init);
    expect([status, json.source]).toEqual([200, source]);
  });

  it.each([
    ["compressed", gzipSync("post[source]=packed"), "gzip"],
    ["in Latin-1", Buffer.from("post[source]=caf\u00e9", "latin1"), "identity"],
    ["percent-encoded in Latin-1", "post[source]=caf%E9", "identity"],
    ["a percent sign that encodes nothing", "post[source]=100%+caf%C3%A9", "identity"],
  ])("424 unless it is plain UTF-8: %s", async (_, body, encoding) => {
    const type = "application/x-www-form-urlencoded; charset=iso-8859-1";
    const init = { method: "PUT", body, headers: { "content-type": type, "content-encoding": encoding } };
    const { status, json } = await client.send(show, init);
    expect([status, json.reason]).toEqual([424, "the request body is malformed"]);
    expect(await now("source")).toEqual({ source: "a book" });
  });

  it.each(["text/plain;charset=UTF-8", "application/octet-stream", "application/xml"])(
    "424 for a type without parameters, which would be ignored: %s",
    async (type) => {
      const send = (method: string, body: string, headers = { "content-type": type }) =>
        client.send(show, { method, body, headers });
      const { status, json } = await send("PUT", JSON.stringify({ post: { source: "unread" } }));
      expect([status, json.reason]).toEqual([424, "the request body is neither a form nor JSON"]);
      expect((await send("PUT", "")).status).toBe(200);
      expect(await now("source")).toEqual({ source: "a book" });
    },
  );

  it("424 for a field of a multipart body in Latin-1, unless its part says so", async () => {
    const content = Buffer.from("caf\u00e9", "latin1");
    const silent = multipart([{ name: "post[source]", content }]);
    const { status, json } = await client.send(show, multipartInit(silent, "PUT"));
    expect([status, json.reason]).toEqual([424, "the request body is malformed"]);
    expect(await now("source")).toEqual({ source: "a book" });
    const said = multipart([{ name: "post[source]", content, contentType: "text/plain; charset=iso-8859-1" }]);
    expect((await client.send(show, multipartInit(said, "PUT"))).json.source).toBe("caf\u00e9");
  });

  it("may have U+FFFD itself in a field of a multipart body, also if it arrives in parts", async () => {
    const body = multipart([{ name: "post[source]", content: "caf\ufffd" }]);
    const middle = body.indexOf("\ufffd") + 1;
    const { headers } = multipartInit(body);
    async function* parts() {
      yield body.subarray(0, middle);
      await sleep(20);
      yield body.subarray(middle);
    }
    const init = { method: "PUT", headers, body: ReadableStream.from(parts()), duplex: "half" } as RequestInit;
    expect((await client.send(show, init)).json.source).toBe("caf\ufffd");
  });

  it("may be missing if the query has all parameters", async () => {
    const query = new URLSearchParams({ "post[rating]": "e", "post[source]": "by query" }).toString();
    expect((await client.send(`${show}?${query}`, { method: "PUT" })).status).toBe(200);
    expect(await now("rating,source")).toEqual({ rating: "e", source: "by query" });
  });

  it("wins over the query, attribute by attribute", async () => {
    const query = new URLSearchParams({ "post[rating]": "e", "post[source]": "by query" }).toString();
    await client.put(`${show}?${query}`, { post: { rating: "q" } });
    expect(await now("rating,source")).toEqual({ rating: "q", source: "by query" });
  });

  it("keeps fields that it does not name, and ignores unknown ones", async () => {
    const params = {
      utf8: "✓",
      commit: "Save",
      ost: { source: "x" },
      post: { rating: "e", id: 1, uploader_id: 1, score: 99 },
    };
    expect((await client.put(show, params)).json.id).toBe(post.id);
    expect(await now("id,uploader_id,score,rating,source,parent_id,tag_string")).toEqual({
      id: post.id,
      uploader_id: post.uploader.id,
      score: 0,
      rating: "e",
      source: "a book",
      parent_id: parent.id,
      tag_string: "first_tag lowres",
    });
  });

  it("null in JSON removes a parent, and keeps texts", async () => {
    await client.json("PUT", show, { post: { parent_id: null, tag_string: null, source: null, rating: null } });
    expect(await now()).toEqual({ tag_string: "first_tag lowres", rating: "s", source: "a book", parent_id: null });
  });

  it("the id in the path takes precedence", async () => {
    await client.put(`${show}?id=${parent.id}`, { id: parent.id, post: { id: parent.id, rating: "e" } });
    expect(await now("rating")).toEqual({ rating: "e" });
    expect((await test.anonymous.get(`/posts/${parent.id}.json`)).json.rating).toBe("s");
  });
});

describe("a missing attribute", () => {
  it.each([
    ["/artists.json", {}, "artist[name] is required"],
    ["/post_flags.json", { comment: { post_id: 1 } }, "post_flag[post_id] is required"],
    ["/artist_commentaries/create_or_update.json", {}, "artist_commentary[post_id] is required"],
    ["/post_flags.json", { reason: "why not" }, "post_id is required"],
    ["/uploads.json", {}, "upload[tag_string] is required"],
    ["/favorites.json", {}, "post_id is required"],
  ])(
    "is named as the specification does, unless others are sent outside of the brackets: %s %j",
    async (path, sent, reason) => {
      const { status, json } = await client.post(path, sent);
      expect([status, json.reason]).toEqual([424, reason]);
    },
  );
});

describe("words", () => {
  it("a rating is a letter or a word, in any case", async () => {
    const words = { explicit: "e", Q: "q", Safe: "s", QUESTIONABLE: "q", E: "e", s: "s" };
    for (const [word, letter] of Object.entries(words)) {
      expect((await client.put(show, { post: { rating: word } })).json.rating).toBe(letter);
    }
  });

  it("a vote is up or down, or 1 or -1", async () => {
    const scores = [];
    for (const score of ["up", "1", "down", "-1", 1, "UP"]) {
      const voter = await test.make.user();
      scores.push((await voter.client.json("POST", `/posts/${post.id}/votes.json`, { score })).json.score as number);
    }
    expect(scores).toEqual([1, 1, -1, -1, 1, 1]);
  });

  it("a boolean is true, t, yes, y, on or 1 in any case, or their opposites; anything else is 424", async () => {
    const raw = (word: string) => idsOf("/posts.json", { tags: `id:${post.id}`, raw: word });
    for (const word of ["true", "True", "t", "yes", "Y", "on", "1"]) expect(await raw(word)).toEqual([]);
    for (const word of ["false", "False", "f", "no", "N", "off", "0", ""]) expect(await raw(word)).toEqual([post.id]);
    const { status, json } = await test.anonymous.get("/posts.json", { raw: "perhaps" });
    expect([status, json.reason]).toEqual([424, "raw is invalid"]);
  });
});

describe("searches of every listing", () => {
  const paths = ["/users.json", "/tags.json", "/post_versions.json", "/note_versions.json", "/notes.json"];

  it.each(paths)("%s: blank and unknown keys change nothing, invalid numbers match nothing", async (path) => {
    const all = await idsOf(path, {});
    expect(await idsOf(path, { search: { id: "", order: "", nonsense: "1" }, page: "", limit: "" })).toEqual(all);
    expect(await idsOf(path, { search: { id: "x,y" } })).toEqual([]);
    expect(await idsOf(path, { search: { id: "-1,0,99999999999" } })).toEqual([]);
  });

  it.each(paths)("%s: pages by number and by id, newest first", async (path) => {
    const all = await idsOf(path, { limit: 100 });
    expect(all).toEqual([...all].sort((a, b) => b - a));
    expect(await idsOf(path, { limit: 2, page: 2 })).toEqual(all.slice(2, 4));
    const third = all[2] ?? 0;
    expect(await idsOf(path, { limit: 2, page: `b${third}` })).toEqual(third ? all.slice(3, 5) : []);
    expect(await idsOf(path, { limit: 2, page: `a${third}` })).toEqual(all.slice(0, 2));
    expect((await test.anonymous.get(path, { page: 1001 })).status).toBe(424);
  });

  it("lists of numbers are comma lists, brackets, or both kinds of JSON", async () => {
    const expected = [post.id, parent.id];
    const id = `${parent.id},${post.id}`;
    const searches = [{ post_id: id }, { post_id: [String(parent.id), String(post.id)] }, { post_id: ` ${id}, ` }];
    for (const search of searches) {
      const { json } = await test.anonymous.get("/post_versions.json", { search });
      expect((json as { post_id: number }[]).map((version) => version.post_id)).toEqual(expected);
    }
    const body = { _method: "get", search: { post_id: expected } };
    const { json } = await test.anonymous.json("POST", "/post_versions.json", body);
    expect((json as { post_id: number }[]).map((version) => version.post_id)).toEqual(expected);
  });

  it("an unknown user matches nothing, a known one in any spelling", async () => {
    const updater = await test.make.user("Member", `Many_Words_${post.id}`);
    await updater.client.put(show, { post: { tag_string: "third" } });
    const by = async (updater_name: string) => idsOf("/post_versions.json", { search: { updater_name } });
    const [found] = [await by(`many words ${post.id}`)];
    expect(found.length).toBe(1);
    expect(await by(`MANY_WORDS_${post.id}`)).toEqual(found);
    expect([await by("nobody_of_this_name"), await by("many*"), await by("\0")]).toEqual([[], [], []]);
  });
});
