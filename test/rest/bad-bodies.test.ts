import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";
import type { TestPost } from "../support/factory.js";
import { BOUNDARY, multipart, multipartInit, openMultipart, type Part } from "../support/multipart.js";
import { jpeg } from "../support/pictures.js";
import { type Refusals, refusals } from "../support/refusals.js";
import { filesOf, tracesOf } from "../support/traces.js";

let test: TestBoard;
let client: Client;
let post: TestPost;
let leavingNothing: Refusals["leavingNothing"];
let expectRefusal: Refusals["expectRefusal"];
beforeAll(async () => {
  test = await startBoard({ SOURCE_TIMEOUT_MS: "500" });
  ({ leavingNothing, expectRefusal } = refusals(test));
  const user = await test.make.user("Contributor");
  client = user.client;
  post = await test.make.post("tree sky", {}, user);
});
afterAll(() => test[Symbol.asyncDispose]());

const upload = (attributes: Record<string, string | Blob>) => (extension: string) =>
  client.post(`/uploads${extension}`, { upload: { rating: "s", tag_string: "brand_new_tag", ...attributes } });

describe("bodies that can't be read", () => {
  it.each(['{"post": {"rating": "e"', "[1, 2]", '"text"', "null", '{"post": [}', "\0"])(
    "424 for the JSON %j",
    async (body) => {
      const init = { method: "PUT", body, headers: { "content-type": "application/json" } };
      const send = (extension: string) => client.send(`/posts/${post.id}${extension}`, init);
      await expectRefusal(send, 424, "the request body is malformed");
    },
  );

  it.each([
    ["search[name][]=a", "search[name] is invalid"],
    ["search[name][x]=a", "search[name] is invalid"],
    ["search[name_matches][x][y]=a", "search[name_matches] is invalid"],
    ["search=a", "search is invalid"],
    ["search[]=a", "search is invalid"],
    ["page[]=1", "page is invalid"],
    ["limit[x]=1", "limit is invalid"],
  ])("424 for ?%s", (query, reason) =>
    expectRefusal((extension) => test.anonymous.send(`/tags${extension}?${query}`), 424, reason),
  );

  it("424 for a multipart body without its last boundary, also in the middle of the file", async () => {
    const file: Part = { name: "upload[file]", filename: "a.jpg", content: await jpeg({ seed: 6003 }) };
    const parts = [{ name: "upload[rating]", content: "s" }, { name: "upload[tag_string]", content: "tree" }, file];
    const whole = openMultipart(parts);
    for (const body of [whole, whole.subarray(0, whole.length - 200), openMultipart(parts.slice(0, 2))]) {
      await expectRefusal(
        (extension) => client.send(`/uploads${extension}`, multipartInit(body)),
        424,
        "the request body is malformed",
      );
    }
  });

  it("424 for multipart without a boundary, or with a wrong one", async () => {
    const body = new Uint8Array(multipart([{ name: "upload[rating]", content: "s" }]));
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=other"]) {
      const init = { method: "POST", body, headers: { "content-type": type } };
      await expectRefusal((ext) => client.send(`/uploads${ext}`, init), 424, "the request body is malformed");
    }
  });

  it("keeps nothing of an interrupted upload", async () => {
    const part = openMultipart([{ name: "upload[file]", filename: "a.jpg", content: await jpeg({ seed: 6004 }) }]);
    const uploader = await test.make.user();
    const before = await tracesOf(test);
    const socket = connect(Number(new URL(test.url).port), "127.0.0.1");
    const head = [
      "POST /uploads.json HTTP/1.1",
      "Host: x",
      "Content-Length: 100000",
      `Authorization: Basic ${Buffer.from(`${uploader.name}:${uploader.apiKey}`).toString("base64")}`,
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    socket.write(part);
    await expect.poll(async () => (await filesOf(test)).length).toBe(before.files.length + 1);
    socket.destroy();
    await expect.poll(() => tracesOf(test)).toEqual(before);
    expect((await test.anonymous.get("/posts.json")).status).toBe(200);
  });
});

describe("NUL and halves of surrogate pairs", () => {
  const texts = ["\0", "a\0b", "\ud800", "a\udc00b", "\ud800\0", "\ufffe\uffff"];

  it("are never a 500, in any text field", async () => {
    for (const text of texts) {
      const file = await test.make.picture();
      const bodies: [string, string, object][] = [
        ["PUT", `/posts/${post.id}`, { post: { tag_string: `tree x${text}\0`, old_tag_string: text } }],
        ["PUT", `/posts/${post.id}`, { post: { source: `${text}\0` } }],
        ["PUT", `/posts/${post.id}`, { post: { rating: text, parent_id: text } }],
        ["PUT", `/posts/${post.id}/revert`, { version_id: text }],
        ["POST", `/posts/${post.id}/votes`, { score: text }],
        ["POST", "/uploads", { upload: { source: `http://${text}/\0`, rating: "s", tag_string: text } }],
        ["POST", "/uploads", { upload: { source: "\0", rating: text, tag_string: text, md5_confirmation: text } }],
        ["POST", "/session", { name: text, password: text }],
        ["POST", "/users", { user: { name: `${text}\0`, password: text } }],
      ];
      for (const [method, path, body] of bodies) {
        for (const extension of [".json", ".xml"]) {
          const { status } = await leavingNothing(() => client.json(method, `${path}${extension}`, body));
          expect([path, JSON.stringify(body), [200, 403, 404, 420, 424].includes(status) && status]).toEqual([
            path,
            JSON.stringify(body),
            status,
          ]);
        }
      }
      const tagged = await leavingNothing(async () => upload({ file, tag_string: "a\0b" })(".json"));
      expect([tagged.status, tagged.json.reason]).toEqual([424, "upload[tag_string] is invalid"]);
      const sourced = await leavingNothing(async () => upload({ file, source: "a\0b" })(".json"));
      expect([sourced.status, sourced.json.reason]).toEqual([420, "source is invalid"]);
    }
  });

  it("are 420 as source and as tag", async () => {
    const edit = (attributes: object) => (extension: string) =>
      client.json("PUT", `/posts/${post.id}${extension}`, { post: attributes });
    for (const text of texts.slice(0, 5)) {
      await expectRefusal(edit({ source: `a${text}` }), 420, "source is invalid");
      const shown = text.toWellFormed().replaceAll("\0", "\uFFFD");
      const reason = `tag_string has "x${shown}y", which is invalid`;
      await expectRefusal(edit({ tag_string: `tree x${text}y` }), 420, reason);
    }
  });

  it("find nothing", async () => {
    const searches: [string, (text: string) => string][] = [
      ["/posts", (text) => `tags=${text}`],
      ["/posts", (text) => `tags=source:${text}*%20user:${text}`],
      ["/posts", (text) => `raw=1&tags=${text}`],
      ["/posts", (text) => `md5=${text}`],
      ["/tags", (text) => `search[name]=${text}`],
      ["/tags", (text) => `search[name_matches]=${text}*`],
      ["/users", (text) => `search[name]=${text}`],
      ["/uploads", (text) => `search[uploader_name]=${text}`],
      ["/uploads", (text) => `search[source]=${text}`],
      ["/uploads", (text) => `search[status]=${text}`],
      ["/post_versions", (text) => `search[updater_name]=${text}`],
      ["/post_versions", (text) => `search[post_id]=${text}`],
    ];
    // UTF-8 has no halves of pairs: an encoded one, and other bytes that are no text
    for (const text of ["%00", "a%00b", "%ED%A0%80", "%FF", "%C0%80"]) {
      for (const [path, query] of searches) {
        const { status, json } = await leavingNothing(() => client.get(`${path}.json?${query(text)}`));
        expect([path, query(text), status, json]).toEqual([path, query(text), 200, []]);
      }
    }
  });
});
