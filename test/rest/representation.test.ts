/** How responses are sent: encodings, conditional requests, and the same bytes for all viewers with the same rights. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";

let test: TestBoard;
let key: string;
beforeAll(async () => {
  test = await startBoard({ SERVER_TIMING: "true" });
  await test.make.post("sea artist:mira ship_(vessel)", { source: 'a "book" <1> & é' });
  for (let count = 0; count < 6; count += 1) await test.make.post("land wide_sky");
  const { name, apiKey } = await test.make.user();
  key = `Basic ${Buffer.from(`${name}:${apiKey}`).toString("base64")}`;
});
afterAll(() => test[Symbol.asyncDispose]());

interface RawAnswer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Bytes and headers as they come. */
const ask = (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const asked = httpRequest(new URL(test.url), { path, headers, method, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on("error", reject).end();
  });

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

describe("a body of more than a kibibyte", () => {
  it.each([
    ["gzip", "gzip"],
    ["br", "br"],
    ["deflate", "deflate"],
    ["gzip, deflate, br", "br"],
    ["gzip;q=0.5, br;q=0.1", "gzip"],
    ["*", "br"],
    ["identity", undefined],
    ["gzip;q=0", undefined],
    ["compress", undefined],
    ["", undefined],
  ])(
    "with Accept-Encoding %j is sent as %s, completely, with its length and the same ETag",
    async (accepted, encoding) => {
      const plain = await ask("/posts.json");
      const { headers, body } = await ask("/posts.json", { "accept-encoding": accepted });
      expect(headers["content-encoding"]).toBe(encoding);
      expect(headers["content-length"]).toBe(String(body.length));
      expect([headers.etag, headers.vary]).toEqual([plain.headers.etag, "Authorization, Cookie, Accept-Encoding"]);
      expect((encoding === undefined ? body : DECODERS[encoding]?.(body))?.toString()).toBe(plain.body.toString());
    },
  );

  it("is not compressed if smaller", async () => {
    const { headers } = await ask("/posts.json?only=id", { "accept-encoding": "gzip" });
    expect(headers["content-encoding"]).toBeUndefined();
  });
});

describe("a response that the client already has", () => {
  it.each(["/posts.json", "/posts/1.xml", "/tags.json"])("%s is 304 without a body or its type", async (path) => {
    const { headers } = await ask(path);
    for (const method of ["GET", "HEAD"]) {
      const again = await ask(path, { "if-none-match": String(headers.etag) }, method);
      expect([again.status, again.body.length, again.headers["content-type"]]).toEqual([304, 0, undefined]);
      expect([again.headers.etag, again.headers["cache-control"]]).toEqual([headers.etag, "no-cache"]);
    }
    expect((await ask(path, { "if-none-match": 'W/"another"' })).status).toBe(200);
  });

  it("is sent again if it is an error", async () => {
    const { status, headers } = await ask("/posts/999999.json");
    const again = await ask("/posts/999999.json", { "if-none-match": String(headers.etag) });
    expect([status, again.status]).toEqual([404, 404]);
  });
});

describe("a response whose format depends on Accept", () => {
  it("says so to caches, as one whose path names the format does not", async () => {
    const varies = async (path: string, accept: string) => (await ask(path, { accept })).headers.vary;
    for (const accept of ["application/json", "text/xml"]) {
      expect(await varies("/posts", accept)).toBe("Authorization, Cookie, Accept, Accept-Encoding");
      expect(await varies("/posts/99999", accept)).toBe("Authorization, Cookie, Accept, Accept-Encoding");
      expect(await varies("/nowhere", accept)).toBe("Authorization, Cookie, Accept, Accept-Encoding");
      expect(await varies("/posts/99999.json", accept)).toBe("Authorization, Cookie, Accept-Encoding");
    }
  });
});

describe("HEAD", () => {
  it.each(["", "gzip", "br"])(
    "has the headers of GET, including the length, with Accept-Encoding %j",
    async (accepted) => {
      const headers = { "accept-encoding": accepted };
      const [get, head] = [await ask("/posts.json", headers), await ask("/posts.json", headers, "HEAD")];
      expect([head.status, head.body.length]).toEqual([200, 0]);
      for (const name of ["content-type", "content-encoding", "content-length", "etag", "vary"])
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    },
  );
});

describe("responses to visitors and members", () => {
  it.each(["/posts.json", "/posts.xml?tags=sea", "/posts/1.json", "/posts.json?limit=x", "/posts/99999.xml"])(
    "are the same: %s",
    async (path) => {
      const [visitor, member] = [await ask(path), await ask(path, { authorization: key })];
      expect([member.status, member.body.toString()]).toEqual([visitor.status, visitor.body.toString()]);
      const names = ({ headers }: RawAnswer) => Object.keys(headers).sort();
      expect(names(member)).toEqual(names(visitor));
      expect(member.headers["cache-control"]).toBe("private, no-cache");
    },
  );
});

describe("the id of a request", () => {
  it("is the proxy's if that is a plain word", async () => {
    expect((await ask("/posts.json", { "x-request-id": "given-1" })).headers["x-request-id"]).toBe("given-1");
    expect((await ask("/posts.json", { "x-request-id": "no word" })).headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
  });
});
