/** The body and headers of a request cost no more than their limits, however large they are. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { BOUNDARY, multipart, multipartInit } from "../support/multipart.js";
import { RawClient } from "../support/raw-client.js";
import { signIn } from "../support/session.js";
import { filesOf } from "../support/traces.js";

const MAX_BODY = 200_000;
const MAX_UPLOAD = 1_000_000;
const TOO_LARGE = `the request body is larger than ${MAX_BODY} bytes`;

let test: TestBoard;
let user: TestUser;
beforeAll(async () => {
  test = await startBoard({ MAX_BODY_BYTES: String(MAX_BODY), MAX_UPLOAD_BYTES: String(MAX_UPLOAD) });
  user = await test.make.user("Contributor");
});
afterAll(() => test[Symbol.asyncDispose]());

const fields = (count: number, size: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `field_${index}`, content: "x".repeat(size) }));

describe("MAX_BODY_BYTES", () => {
  it.each([
    ["/comments.json", {}],
    ["/uploads.json", {}],
    ["/graphql", { "apollo-require-preflight": "1" }],
  ])("applies to all fields of a multipart body together: %s", async (path, headers) => {
    const files = await filesOf(test);
    const file = { name: "upload[file]", filename: "a.png", content: "x".repeat(1000) };
    for (const parts of [fields(3, 80_000), fields(900, 300), [...fields(3, 80_000), file], fields(1, MAX_BODY)]) {
      const { status, json } = await user.client.with(headers).send(path, multipartInit(multipart(parts)));
      expect([status, json.reason ?? json.errors[0].message]).toEqual([424, TOO_LARGE]);
    }
    await expect.poll(() => filesOf(test)).toEqual(files);
  });

  it("applies to the fields around an uploaded file", async () => {
    const files = await filesOf(test);
    const picture = Buffer.from(await (await test.make.picture()).arrayBuffer());
    const parts = [...fields(2, 80_000), { name: "upload[file]", filename: "a.jpg", content: picture }];
    const posts = await test.board.database.post.count();
    const many = [...parts, ...fields(1001, 1)];
    const { status, json } = await user.client.send("/uploads.json", multipartInit(multipart(many)));
    expect([status, json.reason]).toEqual([424, "too many or too deeply nested parameters"]);
    await expect.poll(() => filesOf(test)).toEqual(files);
    expect(await test.board.database.post.count()).toBe(posts);
  });

  it("applies to the fields after an uploaded file, however small that is", async () => {
    const picture = Buffer.from(await (await test.make.picture()).arrayBuffer());
    const file = { name: "upload[file]", filename: "a.jpg", content: picture };
    for (const parts of [
      [file, ...fields(3, 80_000)],
      [...fields(2, 80_000), file, ...fields(1, 80_000)],
    ]) {
      const { status, json } = await user.client.send("/uploads.json", multipartInit(multipart(parts)));
      expect([status, json.reason]).toEqual([424, TOO_LARGE]);
    }
  });

  it("applies to a file that nothing takes, and to what follows the last part", async () => {
    const file = { name: "upload[file]", filename: "a.png", content: "x".repeat(MAX_BODY) };
    const trailed = Buffer.concat([multipart(fields(1, 10)), Buffer.alloc(MAX_BODY, "x")]);
    for (const body of [multipart([file]), trailed]) {
      const { status, json } = await user.client.send("/comments.json", multipartInit(body));
      expect([status, json.reason]).toEqual([424, TOO_LARGE]);
    }
  });

  it("is raised by an accepted file as much as that may have, and no more", async () => {
    const posts = await test.board.database.post.count();
    const parts = async () => {
      const picture = Buffer.from(await (await test.make.picture()).arrayBuffer());
      return multipart([...fields(1, 10), { name: "upload[file]", filename: "a.jpg", content: picture }]);
    };
    const send = async (body: Buffer, bytes: number) => {
      const sent = Buffer.concat([body, Buffer.alloc(bytes - body.length, "x")]);
      return (await user.client.send("/uploads.json?upload[rating]=s&upload[tag_string]=x", multipartInit(sent))).json
        .reason as string;
    };
    expect(await send(await parts(), MAX_BODY + MAX_UPLOAD + 1)).toBe(TOO_LARGE);
    expect(await test.board.database.post.count()).toBe(posts);
    expect(await send(await parts(), MAX_BODY + MAX_UPLOAD)).toBe("");
    expect(await test.board.database.post.count()).toBe(posts + 1);
  });

  it("is answered at once; the rest of the body is read and discarded in bounded memory", async () => {
    const MB = 1024 * 1024;
    const before = process.memoryUsage().rss;
    const clients = await RawClient.crowd(
      test.url,
      2,
      [
        "POST /comments.json HTTP/1.1",
        "Host: board",
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
        `Content-Length: ${100 * MB}`,
        "",
        "",
      ].join("\r\n"),
    );
    const field = multipart(fields(1, MB - 1000)).toString("latin1");
    for (const client of clients) client.say(field);
    for (const client of clients) {
      await expect.poll(() => client.status).toBe(424);
      // a proxy whose client has left would send the next request as a part of this body
      expect(client.received).toMatch(/\r\nConnection: close\r\n[^]*the request body is larger than 200000 bytes/);
    }
    for (let sent = field.length; sent < 100 * MB; sent += MB) {
      for (const client of clients) await client.sayAll("x".repeat(Math.min(MB, 100 * MB - sent)));
    }
    for (const client of clients) {
      await expect.poll(() => client.isClosed).toBe(true);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MB);
  });
});

describe("a body in chunks", () => {
  const HEAD = [
    "POST /posts.json?_method=get HTTP/1.1",
    "Host: board",
    "Content-Type: application/x-www-form-urlencoded",
    "Transfer-Encoding: chunked",
    "",
    "",
  ].join("\r\n");
  const chunks = (count: number, text: string) => `${text.length.toString(16)}\r\n${text}\r\n`.repeat(count);
  const send = async (body: string): Promise<RawClient> => {
    const client = await RawClient.connect(test.url);
    client.say(HEAD);
    client.say(body);
    return client;
  };

  it.each([
    ["a thousand of one byte", chunks(1_000, "a")],
    ["two thousand of 80", chunks(2_000, "a".repeat(80))],
    ["a thousand small ones after a great one", chunks(1, "a".repeat(100_000)) + chunks(1_500, "a")],
  ])("is read: %s", async (_, body) => {
    using client = await send(`${body}0\r\n\r\n`);
    await expect.poll(() => client.status).toBe(200);
  });

  it("is refused by 400, and the connection closed, with more than a thousand of less than 64 bytes on average", async () => {
    using client = await send(chunks(20_000, "a")); // and there may be more to come
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.received).toBe("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
});

describe("a header longer than any client sends", () => {
  it("is ignored: Accept, Accept-Encoding, Content-Type, Cookie, Range, If-None-Match", async () => {
    const { cookie } = await signIn(test.anonymous, user);
    const { etag } = await seen("/tags.json", {});
    expect(await seen("/profile.json", { cookie })).toMatchObject({ status: 200, encoding: null });
    const long = (text: string) => `${text},`.repeat(Math.floor(58_000 / (text.length + 1)));
    expect(await seen("/posts", { accept: "application/xml" })).toMatchObject({ status: 200 });
    expect(await seen("/posts", { accept: long("application/xml") })).toMatchObject({ status: 404 });
    expect(await seen("/openapi.json", { "accept-encoding": "gzip" })).toMatchObject({ encoding: "gzip" });
    expect(await seen("/openapi.json", { "accept-encoding": long("gzip") })).toMatchObject({ encoding: null });
    expect(await seen("/profile.json", { cookie: `${cookie}; ${long("a=s:b.c;")}` })).toMatchObject({ status: 403 });
    expect(await seen("/tags.json", { "if-none-match": etag ?? "" })).toMatchObject({ status: 304 });
    expect(await seen("/tags.json", { "if-none-match": long(etag ?? "") })).toMatchObject({ status: 200 });
    const { id } = await test.make.post();
    const { file_url: url } = (await test.anonymous.get(`/posts/${id}.json`)).json as { file_url: string };
    const { pathname } = new URL(url);
    expect(await seen(pathname, { range: "bytes=0-1" })).toMatchObject({ status: 206 });
    expect(await seen(pathname, { range: `bytes=${long("0-1")}` })).toMatchObject({ status: 200 });
    const type = `application/json; ${long("a=b;")}`;
    const body = { method: "POST", body: '{"query": "{ viewer { id } }"}', headers: { "content-type": type } };
    expect((await test.anonymous.send("/graphql", body)).status).toBe(403); // as without one: pages of other sites send such
  });

  it("is a wrong key in Authorization", async () => {
    const authorization = `Basic ${Buffer.from(`${user.name}:${user.apiKey}${"x".repeat(40_000)}`).toString("base64")}`;
    expect(await seen("/posts.json", { authorization })).toMatchObject({ status: 403 });
  });

  /** Without the headers that `fetch` adds to conditional requests. */
  const seen = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number | undefined; encoding: string | null; etag: string | undefined }>(
      (resolve, reject) => {
        const asking = request(`${test.url}${path}`, { headers }, (answer) => {
          const { "content-encoding": encoding = null, etag } = answer.headers;
          answer.resume().once("end", () => resolve({ status: answer.statusCode, encoding, etag }));
        });
        asking.on("error", reject).end();
      },
    );
});
