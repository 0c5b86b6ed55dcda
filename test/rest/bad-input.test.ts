import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { BOUNDARY, multipart, multipartInit, openMultipart, type Part } from "../support/multipart.js";
import { jpeg, pngBomb, truncated } from "../support/pictures.js";
import { redirecting, silent, type Site, startSite } from "../support/site.js";
import { type Refusals, refusals } from "../support/refusals.js";

const SECOND = 1000;

let site: Site;
let test: TestBoard;
let user: TestUser;
let client: Client;
let post: TestPost;
let leavingNothing: Refusals["leavingNothing"];
let expectRefusal: Refusals["expectRefusal"];
beforeAll(async () => {
  site = await startSite();
  test = await startBoard({ SOURCE_ALLOW_HOSTS: site.host, SOURCE_TIMEOUT_MS: "500", MAX_UPLOAD_BYTES: "60000000" });
  ({ leavingNothing, expectRefusal } = refusals(test));
  user = await test.make.user("Contributor");
  client = user.client;
  post = await test.make.post("tree sky", {}, user);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const upload = (attributes: Record<string, string | Blob>) => (extension: string) =>
  client.post(`/uploads${extension}`, { upload: { rating: "s", tag_string: "brand_new_tag", ...attributes } });

const uploadFile = (content: Buffer | string) =>
  upload({ file: new File([typeof content === "string" ? content : new Uint8Array(content)], "picture.png") });

describe("an invalid file", () => {
  it("420 for a text called .png", () =>
    expectRefusal(
      uploadFile("I am a text, not a picture.".repeat(50)),
      420,
      "file is not a supported file type (jpg, png, gif, webp, avif, mp4, webm)",
    ));

  it("420 for SVG and HTML, which could run scripts", async () => {
    const reason = "file is not a supported file type (jpg, png, gif, webp, avif, mp4, webm)";
    await expectRefusal(uploadFile('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 420, reason);
    await expectRefusal(uploadFile("<!doctype html><script>alert(1)</script>"), 420, reason);
  });

  it("420 for a truncated JPEG", async () =>
    expectRefusal(
      uploadFile(truncated(await jpeg({ width: 300, height: 300, seed: 6001 }))),
      420,
      "file is damaged or incomplete",
    ));

  it("420 for 30000x30000 pixels in 110 KB, without decoding them", () =>
    expectRefusal(uploadFile(pngBomb()), 420, "file has more than 150000000 pixels"));

  it("420 for an empty file", () => expectRefusal(uploadFile(""), 420, "file is empty"));
});

/** Sends a body of so many bytes without having it, and tells how far the memory of this process, the board's too, grew. */
async function stream(path: string, type: string, size: number, head = ""): Promise<{ answer: Answer; grown: number }> {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  const before = process.memoryUsage().rss;
  let peak = before;
  const authorization = `Basic ${Buffer.from(`${user.name}:${user.apiKey}`).toString("base64")}`;
  const answer = await new Promise<Answer>((resolve, reject) => {
    const sent = request(`${test.url}${path}`, { method: "POST", headers: { "content-type": type, authorization } });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      const done = () => resolve({ status: response.statusCode, json: JSON.parse(text), text } as Answer);
      response.on("end", done);
    });
    sent.write(head);
    let left = size;
    const pump = (): void => {
      peak = Math.max(peak, process.memoryUsage().rss);
      if (left <= 0) return void sent.end();
      left -= chunk.length;
      if (sent.write(chunk)) setImmediate(pump);
      else sent.once("drain", pump);
    };
    pump();
  });
  return { answer, grown: peak - before };
}

describe("a body of 200 MB", () => {
  const MB = 1024 * 1024;
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="upload[file]"; filename="a.png"\r\n\r\n`;

  it.each([
    ["multipart", `multipart/form-data; boundary=${BOUNDARY}`, file, 60_000_000],
    ["urlencoded", "application/x-www-form-urlencoded", "upload[tag_string]=", 1_048_576],
    ["JSON", "application/json", '{"upload": {"tag_string": "', 1_048_576],
  ])("424 for a %s one, in bounded memory", async (_, type, head, limit) => {
    const { answer, grown } = await leavingNothing(() => stream("/uploads.json", type, 200 * MB, head), 15 * SECOND);
    expect([answer.status, answer.json.success, answer.json.reason]).toEqual([
      424,
      false,
      `the request body is larger than ${limit} bytes`,
    ]);
    expect(grown).toBeLessThan(120 * MB);
  });
});

describe("a file in GraphQL", () => {
  const query = `mutation ($file: File) { createUpload(input: { file: $file, rating: SAFE, tagString: "brand_new_tag" }) {
    upload { id } } }`;
  const operations = JSON.stringify({ query, variables: { file: null } });
  const parts = (content: Uint8Array): Part[] => [
    { name: "operations", content: operations },
    { name: "map", content: '{"0": ["variables.file"]}' },
    { name: "0", filename: "a.jpg", content },
  ];

  const preflighted = (of: Client) => of.with({ "apollo-require-preflight": "true" });

  it("424 if it is too large or incomplete", async () => {
    const large = multipartInit(multipart(parts(Buffer.alloc(61_000_000))));
    const cut = openMultipart(parts(await jpeg({ seed: 6005 })));
    const reasons = ["the request body is larger than 60000000 bytes", "the request body is malformed"];
    for (const [init, reason] of [
      [large, reasons[0]],
      [multipartInit(cut), reasons[1]],
      [multipartInit(cut.subarray(0, cut.length - 100)), reasons[1]],
    ] as const) {
      const { json } = await leavingNothing(() => preflighted(client).send("/graphql", init), 5 * SECOND);
      expect(json.errors[0].extensions).toMatchObject({ code: "INVALID_PARAMETERS", status: 424, reason });
    }
  });

  it("403 for visitors, and the file is not kept", async () => {
    const init = multipartInit(multipart(parts(Buffer.alloc(5_000_000))));
    const { json } = await leavingNothing(() => preflighted(test.anonymous).send("/graphql", init));
    expect(json.errors[0].extensions).toMatchObject({ code: "FORBIDDEN", status: 403 });
  });
});

describe("a bad source", () => {
  it("420 for this machine, directly and by redirect", async () => {
    site.pages.set("/inside", redirecting("http://127.0.0.1:80/"));
    const reason = "source leads to an address that is not public";
    await expectRefusal(upload({ source: "http://127.0.0.1/a.png" }), 420, reason);
    await expectRefusal(upload({ source: `${site.url}/inside` }), 420, reason);
  });

  it("420 after a timeout for one that never responds", async () => {
    site.pages.set("/silent", silent);
    await expectRefusal(upload({ source: `${site.url}/silent` }), 420, "source could not be downloaded in time");
  });
});

describe("too much input", () => {
  it("420 for 10,000 words", async () => {
    const words = Array.from({ length: 10_000 }, (_, index) => `word_${index}`).join(" ");
    const edit = (extension: string) => client.put(`/posts/${post.id}${extension}`, { post: { tag_string: words } });
    await expectRefusal(edit, 420, "tag_string has more than 1250 tags");
    const file = await test.make.picture();
    // of an upload too, although its tag string is over 100,000 characters only with the words of the row
    const few = words.slice(0, 99_000).replace(/ \S*$/, "");
    await expectRefusal(upload({ file, tag_string: few }), 420, "tag_string has more than 1250 tags");
    const search = (extension: string) => test.anonymous.get(`/posts${extension}`, { tags: words.slice(0, 14_000) });
    await expectRefusal(search, 424, "a search may have at most 40 terms");
  });

  it("424 for nine levels of brackets, and for more than a thousand parameters", async () => {
    const reason = "too many or too deeply nested parameters";
    const deep = `search${"[a]".repeat(9)}=1`;
    await expectRefusal((extension) => test.anonymous.send(`/posts${extension}?${deep}`), 424, reason);
    const many = Array.from({ length: 1100 }, (_, index) => `p${index}=1`).join("&");
    await expectRefusal((extension) => test.anonymous.send(`/tags${extension}?${many}`), 424, reason);
    const type = { "content-type": "application/x-www-form-urlencoded" };
    for (const body of [deep, many]) {
      const init = { method: "PUT", body, headers: type };
      await expectRefusal((extension) => client.send(`/posts/${post.id}${extension}`, init), 424, reason);
    }
    const fields = Array.from({ length: 1100 }, (_, index) => ({ name: `p${index}`, content: "1" }));
    await expectRefusal(
      (extension) => client.send(`/uploads${extension}`, multipartInit(multipart(fields))),
      424,
      reason,
    );
  });

  it("424 for two files at once", async () => {
    const file = { name: "upload[file]", filename: "a.jpg", content: await jpeg({ seed: 6002 }) };
    const body = multipart([file, file, { name: "upload[rating]", content: "s" }]);
    await expectRefusal(
      (extension) => client.send(`/uploads${extension}`, multipartInit(body)),
      424,
      "a request may contain one file only",
    );
  });

  it("refuses GraphQL with 1,000 aliases or a depth of 50", async () => {
    const aliases = Array.from({ length: 1000 }, (_, index) => `a${index}: post(id: 1) { id }`).join(" ");
    const deep = `{ post(id: 1) ${"{ parent ".repeat(50)} { id } ${"}".repeat(50)} }`;
    for (const document of [`{ ${aliases} }`, deep]) {
      const { json } = await leavingNothing(() => test.anonymous.graphql(document), SECOND);
      expect(json.data).toBeUndefined();
      expect(json.errors[0].extensions).toMatchObject({ code: "INVALID_PARAMETERS", status: 424 });
    }
  });
});

describe("numbers out of range", () => {
  it.each([
    ["/posts", { page: -1 }],
    ["/posts", { page: "first" }],
    ["/posts", { page: "b99999999999999999999" }],
    ["/posts", { tags: "id:99999999999999 score:>1e400 width:-5 date:9999-99-99" }],
    ["/tags", { search: { id: "99999999999999,-1,x" } }],
    ["/users", { page: "-1" }],
    ["/post_versions", { search: { post_id: "99999999999999" } }],
  ])("200 for %s with %j", async (path, params) => {
    const { status, json } = await leavingNothing(() => test.anonymous.get(`${path}.json`, params));
    expect([status, Array.isArray(json)]).toEqual([200, true]);
  });

  it.each(["/posts/99999999999999", "/posts/99999999999999/revert?version_id=1", "/users/99999999999999"])(
    "404 for %s",
    async (path) => {
      const [where = "", query = ""] = path.split("?");
      const method = where.endsWith("revert") ? "PUT" : "GET";
      await expectRefusal((ext) => client.send(`${where}${ext}?${query}`, { method }), 404, "not found");
    },
  );

  it("424 for numbers beyond any type", async () => {
    const RANGE = "must be between -2147483647 and 2147483647";
    const revert = (ext: string) => client.put(`/posts/${post.id}/revert${ext}`, { version_id: "99999999999999" });
    await expectRefusal(revert, 424, `version_id ${RANGE}`);
    const start = (ext: string) => test.anonymous.get(`/post_versions${ext}`, { search: { start_id: "9".repeat(14) } });
    await expectRefusal(start, 424, `search[start_id] ${RANGE}`);
  });
});
