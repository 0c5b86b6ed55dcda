/** HTTP around the operations: methods, formats, caching, compression, other origins, and request ids. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import { RawClient } from "../support/raw-client.js";
import type { TestPost, TestUser } from "../support/factory.js";

let test: TestBoard;
let user: TestUser;
let post: TestPost;
beforeAll(async () => {
  test = await startBoard();
  user = await test.make.user("Member", "Alma");
  post = await test.make.post("one_tag");
});
afterAll(() => test[Symbol.asyncDispose]());

const NOT_FOUND = { success: false, reason: "not found", message: "not found" };
const NOT_FOUND_XML = '<?xml version="1.0" encoding="UTF-8"?><response success="false" reason="not found"/>';
const show = () => `/posts/${post.id}.json`;
const sorted = (list: string | null): string[] => (list ?? "").split(/, ?/).sort();

interface RawAnswer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** As the answer comes over the wire: `fetch` would unpack it. */
function raw(path: string, headers: Record<string, string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${test.url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on("error", reject).end();
  });
}

describe("HEAD", () => {
  it("is GET without the body", async () => {
    const [head, get] = [await test.anonymous.send(show(), { method: "HEAD" }), await test.anonymous.get(show())];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-type", "etag"]) expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect((await test.anonymous.send("/posts/2000000000.json", { method: "HEAD" })).status).toBe(404);
  });
});

describe("a request in another form of HTTP/1.1", () => {
  const answersTo = async (text: string, count: number): Promise<string[]> => {
    using client = await RawClient.connect(test.url);
    client.say(text);
    const found = () => client.received.match(/HTTP\/1\.1 \d+[^\r]*|\{[^\r]*/g) ?? [];
    await expect.poll(() => found().length).toBe(count);
    return found();
  };

  it("is answered as usual with an upgrade to HTTP/2, which clients offer although they need none", async () => {
    const offer = "Host: board\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
    expect(await answersTo(`GET ${show()}?only=id HTTP/1.1\r\n${offer}\r\n`, 2)).toEqual([
      "HTTP/1.1 200 OK",
      JSON.stringify({ id: post.id }),
    ]);
    const body = JSON.stringify({ name: "somebody" });
    const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const [status, refusal] = await answersTo(`POST /session.json HTTP/1.1\r\n${offer}${head}\r\n${body}`, 2);
    expect([status, JSON.parse(refusal ?? "").reason]).toEqual([
      "HTTP/1.1 424 Invalid Parameters",
      "password is required",
    ]);
  });

  it("is answered as usual with a whole URL, whose host counts", async () => {
    const whole = (url: string) => answersTo(`GET ${url} HTTP/1.1\r\nHost: other\r\n\r\n`, 2);
    const [status, shown] = await whole(`http://board.example:81${show()}?only=file_url`);
    expect(status).toBe("HTTP/1.1 200 OK");
    expect(JSON.parse(shown ?? "").file_url).toMatch(/^http:\/\/board\.example:81\/data\//);
    for (const url of ["ftp://board/posts.json", "*"]) expect((await whole(url))[0]).toBe("HTTP/1.1 404 Not Found");
  });
});

describe("a status of the interface", () => {
  it("has its name in the specification, where HTTP has another or none", async () => {
    const authorization = `Basic ${Buffer.from(`${user.name}:${user.apiKey}`).toString("base64")}`;
    const headers = { "content-type": "application/json", authorization };
    const statusText = async (method: string, path: string, body: object) =>
      (await fetch(`${test.url}${path}`, { method, body: JSON.stringify(body), headers })).statusText;
    const vote = () => statusText("POST", `/posts/${post.id}/votes.json`, { score: "up" });
    expect([
      await statusText("PUT", show(), { post: { parent_id: post.id } }),
      await statusText("PUT", show(), { post: { parent_id: "x" } }),
      await vote(),
      await vote(),
    ]).toEqual(["Invalid Record", "Invalid Parameters", "OK", "Already Exists"]);
  });
});

describe("OPTIONS", () => {
  it("lists the methods of a path, and is 404 for an unknown path", async () => {
    const options = (path: string) => test.anonymous.send(path, { method: "OPTIONS" });
    const known = await Promise.all(
      [show(), "/posts.xml", "/uploads.json", `/posts/${post.id}/votes.json`, "/openapi.json"].map(options),
    );
    expect(known.map(({ status, headers }) => [status, sorted(headers.get("allow"))])).toEqual([
      [200, ["GET", "HEAD", "OPTIONS", "PATCH", "PUT"]],
      [200, ["GET", "HEAD", "OPTIONS"]],
      [200, ["GET", "HEAD", "OPTIONS", "POST"]],
      [200, ["DELETE", "OPTIONS", "POST"]],
      [200, ["GET", "HEAD", "OPTIONS"]],
    ]);
    expect((await options("/nowhere.json")).status).toBe(404);
  });

  it("allows pages of other sites to write with a key: preflight", async () => {
    const { status, headers } = await test.anonymous.send(show(), {
      method: "OPTIONS",
      headers: {
        origin: "https://elsewhere.example",
        "access-control-request-method": "PUT",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(sorted(headers.get("access-control-allow-methods"))).toContain("PUT");
    expect(headers.get("access-control-allow-headers")).toBe("authorization,content-type");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  it("of /graphql is a 204, which has no Content-Length", async () => {
    const { status, headers } = await test.anonymous.send("/graphql", { method: "OPTIONS" });
    expect([status, headers.get("content-length")]).toEqual([204, null]);
  });
});

describe("requests from other sites", () => {
  it("are allowed without cookies, and may read the rate limit headers", async () => {
    const { headers } = await test.anonymous.with({ origin: "https://elsewhere.example" }).get("/posts.json");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("access-control-expose-headers")).toMatch(/Retry-After,X-Api-Limit,X-RateLimit-Limit/);
  });
});

describe("caching", () => {
  it("304 while the response is unchanged, 200 after a change", async () => {
    const { headers } = await raw(show(), {});
    const again = () => raw(show(), { "if-none-match": headers.etag ?? "" });
    const same = await again();
    expect([same.status, same.body.length, same.headers.etag]).toEqual([304, 0, headers.etag]);
    expect([same.headers.vary, headers.vary?.includes("Accept-Encoding")]).toEqual([headers.vary, true]);
    await user.client.put(show(), { post: { rating: "e" } });
    const changed = await again();
    expect([changed.status, (JSON.parse(String(changed.body)) as { rating: string }).rating]).toEqual([200, "e"]);
  });
});

describe("compression", () => {
  it("gzip and brotli as accepted, none for small responses", async () => {
    const plain = await raw(show(), { "accept-encoding": "identity" });
    const [gzip, brotli] = [
      await raw(show(), { "accept-encoding": "gzip" }),
      await raw(show(), { "accept-encoding": "br" }),
    ];
    const small = await raw("/posts/2000000000.json", { "accept-encoding": "gzip" });
    const encodings = [plain, gzip, brotli, small].map(({ headers }) => headers["content-encoding"]);
    expect(encodings).toEqual([undefined, "gzip", "br", undefined]);
    expect([gunzipSync(gzip.body), brotliDecompressSync(brotli.body)]).toEqual([plain.body, plain.body]);
    expect(gzip.headers.vary).toMatch(/accept-encoding/i);
  });
});

describe("a response that is decompressed while it is sent", () => {
  it("stays below Node's limit of listeners", async () => {
    const warnings: string[] = [];
    const warned = ({ message }: Error) => void warnings.push(message);
    process.on("warning", warned);
    const { status, body } = await raw("/graphql", { accept: "text/html" });
    await new Promise(setImmediate); // warnings are emitted in a turn of their own
    process.off("warning", warned);
    expect([status, body.length > 100_000, warnings]).toEqual([200, true, []]);
  });
});

describe("X-Request-Id", () => {
  it("is new for each request, or the plain word that a proxy sent", async () => {
    const [one, two] = [await test.anonymous.get(show()), await test.anonymous.get("/nowhere.json")];
    const ids = [one, two].map(({ headers }) => headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    const given = await test.anonymous.with({ "x-request-id": "proxy-1.2_3" }).get(show());
    expect(given.headers.get("x-request-id")).toBe("proxy-1.2_3");
    for (const bad of ["two words", "a".repeat(65), "<b>", '"}']) {
      const { headers } = await test.anonymous.with({ "x-request-id": bad }).get(show());
      expect(headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
    }
  });
});

describe("what does not exist", () => {
  it("404 with the envelope, in the requested format", async () => {
    const paths = [
      "/nowhere.json",
      "/posts.jpg",
      "/posts/1.json/x",
      "/posts.json.json",
      "/Posts.json",
      "/posts.JSON",
      "/",
      "/posts.json/",
    ];
    for (const path of paths) {
      const { status, json } = await test.anonymous.get(path);
      expect([path, status, json]).toEqual([path, 404, NOT_FOUND]);
    }
    for (const path of ["/nowhere.xml", "/posts/2000000000.xml"]) {
      const { status, text } = await test.anonymous.get(path);
      expect([status, text]).toEqual([404, NOT_FOUND_XML]);
    }
    expect((await test.anonymous.with({ accept: "application/xml" }).get("/nowhere")).text).toBe(NOT_FOUND_XML);
  });

  it("404 for an unsupported method, never 405", async () => {
    const { client } = await test.make.user("Admin");
    const answers = [
      await client.post("/posts.json", { post: { tag_string: "x" } }),
      await client.delete(show()),
      await client.put("/tags.json"),
      await client.send(show(), { method: "PROPFIND" }),
    ];
    expect(answers.map(({ status, json }) => [status, json])).toEqual(answers.map(() => [404, NOT_FOUND]));
    expect((await test.anonymous.get(show())).status).toBe(200);
  });

  it("424 for a path that can't be decoded", async () => {
    for (const path of ["/posts/%E0%A4%A.json", "/wiki_pages/%zz.json"]) {
      const { status, json } = await test.anonymous.get(path);
      expect([status, json.success, json.reason]).toEqual([424, false, "path is invalid"]);
    }
  });
});

describe("a path without an extension", () => {
  it("has the format of Accept, JSON for a JSON body, and is 404 otherwise", async () => {
    const path = `/posts/${post.id}`;
    const ask = (headers: Record<string, string>) => test.anonymous.with(headers).get(path);
    expect((await ask({ accept: "application/json" })).json.id).toBe(post.id);
    for (const accept of ["application/xml", "text/xml"]) expect((await ask({ accept })).xml?.name).toBe("post");
    expect((await ask({ "content-type": "application/json" })).json.id).toBe(post.id);
    // names of media types in any case
    expect((await ask({ accept: "Application/JSON" })).json.id).toBe(post.id);
    expect((await ask({ accept: "TEXT/XML" })).xml?.name).toBe("post");
    expect((await ask({ "content-type": "Application/JSON" })).json.id).toBe(post.id);
    for (const accept of ["*/*", "image/png"]) expect((await ask({ accept })).json).toEqual(NOT_FOUND);
    const written = await user.client.json("PUT", path, { post: { rating: "s" } });
    expect([written.status, written.json.rating]).toEqual([200, "s"]);
  });

  it("the extension wins over Accept", async () => {
    const { xml } = await test.anonymous.with({ accept: "application/json" }).get(`/posts/${post.id}.xml`);
    expect(xml?.name).toBe("post");
  });
});

describe("method overrides", () => {
  const rating = async () => (await test.anonymous.get(show())).json.rating as string;
  const seen = async (answer: Answer) => [answer.status, answer.json.success, await rating()];

  it("a POST with `_method` or X-HTTP-Method-Override has that method, and PATCH is PUT", async () => {
    const { client } = user;
    const body = (letter: string) => ({ post: { rating: letter } });
    expect(await seen(await client.post(show(), { ...body("q"), _method: "put" }))).toEqual([200, true, "q"]);
    expect(await seen(await client.post(`${show()}?_method=PATCH`, body("s")))).toEqual([200, true, "s"]);
    const overriding = client.with({ "x-http-method-override": "PUT" });
    expect(await seen(await overriding.post(show(), body("e")))).toEqual([200, true, "e"]);
    expect(await seen(await client.json("PATCH", show(), body("s")))).toEqual([200, true, "s"]);
  });

  it("a POST with `_method=get` reads, with its parameters in the body", async () => {
    const { status, json } = await test.anonymous.post("/posts.json", { _method: "get", tags: `id:${post.id}` });
    expect([status, (json as { id: number }[]).map(({ id }) => id)]).toEqual([200, [post.id]]);
  });

  it("a GET stays a GET", async () => {
    const get = user.client.with({ "x-http-method-override": "DELETE" });
    const { status, json } = await get.get(show(), { _method: "put", post: { rating: "e" } });
    expect([status, json.id, await rating()]).toEqual([200, post.id, "s"]);
  });
});

describe("unexpected and missing bodies", () => {
  it("GET and HEAD with Content-Type json and no body", async () => {
    const client = test.anonymous.with({ "content-type": "application/json" });
    expect((await client.get(show())).json.id).toBe(post.id);
    expect((await client.send(show(), { method: "HEAD" })).status).toBe(200);
  });

  it("PUT with no body changes nothing; DELETE has parameters in its body", async () => {
    const { status, json } = await user.client.send(show(), { method: "PUT" });
    expect([status, json.rating]).toEqual([200, "s"]);
    await user.client.post(`/posts/${post.id}/votes.json`, { score: "up" });
    const credentials = { login: user.name, api_key: user.apiKey };
    expect((await test.anonymous.delete(`/posts/${post.id}/votes.json`, credentials)).status).toBe(200);
  });
});
