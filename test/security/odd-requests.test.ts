/** Requests that no client sends by accident: none is an internal error. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import { RawClient } from "../support/raw-client.js";
import { processorTime } from "../support/timing.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard({ TRUST_PROXY: "1" });
  await test.make.post("kitten");
});
afterAll(() => test[Symbol.asyncDispose]());

/** The status of a response to a request that is sent as it is. */
async function statusOf(request: string): Promise<number> {
  using client = await RawClient.connect(test.url);
  client.say(request);
  await expect.poll(() => client.received).toMatch(/^HTTP\/1\.1 \d{3}/);
  return Number(client.received.slice(9, 12));
}

describe("a browser's request for a path that is not a valid URL", () => {
  it.each(["//", "//a:b", "//%", "//?tags=x", "/\\"])("%s is not found", async (path) => {
    expect(await statusOf(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n`)).toBe(
      404,
    );
  });
});

describe("a browser's request for a path of very many dots", () => {
  it("takes no longer than others", async () => {
    const began = performance.now();
    const path = `/${".".repeat(60_000)}/`;
    expect(await statusOf(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n`)).toBe(404);
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});

describe("a URL with thousands of escapes that encode no text", () => {
  const costOf = (start: string, part: string) =>
    processorTime(async () => {
      const url = start + part.repeat(60_000 / part.length);
      for (let count = 0; count < 10; count += 1)
        await statusOf(`GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    });

  it.each([
    ["in parts of its path", "/", "%/", "a/"],
    ["in its parameters", "/tags.json?", "%ff&", "aaa&"],
  ])("costs hardly more than another one: %s", async (_, start, odd, usual) => {
    expect(await costOf(start, odd)).toBeLessThan(3 * (await costOf(start, usual)));
  });
});

describe("a request whose URL and headers are too long", () => {
  it.each([
    ["a URL", `GET /posts.json?tags=${"a".repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ["headers", `GET /posts.json HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(70_000)}\r\n\r\n`],
  ])("is refused with the reason and the headers of all responses, and its connection ends: %s", async (_, request) => {
    using client = await RawClient.connect(test.url);
    client.say(request);
    await expect.poll(() => client.isClosed).toBe(true);
    const [head = "", body = ""] = client.received.split("\r\n\r\n");
    const reason = "the URL and the headers of a request may have at most 65536 bytes";
    expect(JSON.parse(body)).toEqual({ success: false, reason, message: reason });
    expect(head).toMatch(/^HTTP\/1\.1 424 Invalid Parameters\r\nConnection: close\r\n/);
    for (const line of [
      "Content-Security-Policy: default-src 'none';frame-ancestors 'none'",
      "X-Content-Type-Options: nosniff",
      "Access-Control-Allow-Origin: *",
      `Content-Length: ${body.length}`,
    ])
      expect(head.split("\r\n")).toContain(line);
  });
});

describe("a URL that is not percent-encoded", () => {
  it.each(["/posts.json?tags=é", "/wiki_pages/é.json", "?tags=a"])("is refused with the reason: %s", async (url) => {
    using client = await RawClient.connect(test.url);
    client.say(`GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await expect.poll(() => client.isClosed).toBe(true);
    const [head = "", body = ""] = client.received.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 424 Invalid Parameters\r\nConnection: close\r\n/);
    const reason = "the URL is invalid; characters other than ASCII have to be percent-encoded";
    expect(JSON.parse(body)).toEqual({ success: false, reason, message: reason });
  });
});

describe("what is no request", () => {
  it("is a 400 without a body, and its connection ends", async () => {
    using client = await RawClient.connect(test.url);
    client.say("hello\r\n\r\n");
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.received).toBe("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
});

describe("a browser's request for a page of another site", () => {
  it.each(["//evil.example/posts/1/", "/\\evil.example/posts/1/", "//evil.example/", "///evil.example/posts/1/"])(
    "%s is not found",
    async (path) => {
      const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n`;
      expect(await statusOf(request)).toBe(404);
    },
  );
});

describe("a request with two hosts", () => {
  const upgrade =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n";

  it.each([
    ["", "/posts.json", ""],
    ["the same twice", "/posts.json", "Host: a\r\n"],
    ["for a whole URL", "http://a/posts.json", ""],
    ["to open a WebSocket", "/graphql", upgrade],
  ])("gets 400, and its connection is closed: %s", async (_, url, headers) => {
    using client = await RawClient.connect(test.url);
    const second = headers.startsWith("Host") ? "" : "hOST: b\r\n";
    client.say(`GET ${url} HTTP/1.1\r\nHost: a\r\n${headers}${second}\r\n`);
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
  });
});

describe("a request to connect to another host (CONNECT)", () => {
  it("gets 400, and its connection is closed: a body, of which proxies know, is not read as the next request", async () => {
    using client = await RawClient.connect(test.url);
    const body = "GET /posts.json?limit=9 HTTP/1.1\r\nHost: a\r\n\r\n";
    client.say(`CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\nContent-Length: ${body.length}\r\n\r\n`);
    await expect.poll(() => client.status).toBe(400);
    client.say(body);
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  });
});

describe("a request with a thousand headers", () => {
  const many = Array.from({ length: 1_500 }, (_, index) => `A${index}: x\r\n`).join("");
  const start = `/posts.json HTTP/1.1\r\nHost: a\r\n${many}`;

  it("is from the address that a proxy appends to them", async () => {
    using client = await RawClient.connect(test.url);
    client.say(`GET ${start}X-Forwarded-For: 203.0.113.7\r\n\r\n`);
    const addresses = () => test.log.map(({ req }) => (req as { address?: string } | undefined)?.address);
    await expect.poll(addresses).toContain("203.0.113.7");
  });

  it.each([
    ["a second Host", "GET", "Host: b\r\n\r\n"],
    ["tiny chunks", "POST", `Transfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(20_000)}`],
  ])("is refused for %s after them", async (_, method, rest) => {
    using client = await RawClient.connect(test.url);
    client.say(`${method} ${start}${rest}`);
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
  });
});

describe("a request with a host", () => {
  it.each(["", "a", "a_b.example:80", "127.0.0.1:80", "[::1]:3000", "%C3%A4.example"])(
    "is answered for %s",
    async (host) => {
      expect(await statusOf(`GET /posts.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toBe(200);
    },
  );

  it.each(["a/b", "a\\b", 'a"b', "a<b", "user@a", "a?b", "a#b", "a b", "a\tb", "\xe4"])(
    "gets 400 for %j",
    async (host) => {
      expect(await statusOf(`GET /posts.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toBe(400);
    },
  );
});

describe("a client with a link-local address", () => {
  it("is known by the address without its zone", async () => {
    const client = test.anonymous.with({ "x-forwarded-for": "fe80::1%eth0" });
    const { status } = await client.post("/users.json", { user: { name: "Neighbor", password: "correct horse" } });
    const sessions = await test.board.database.userSession.findMany();
    expect([status, sessions.map(({ address }) => address)]).toEqual([200, ["fe80::1"]]);
  });
});

describe("a part of a multipart body", () => {
  const send = (path: string, headers: string, content: string | Buffer) => {
    const [head, end] = [Buffer.from(`--x\r\n${headers}\r\n\r\n`), Buffer.from("\r\n--x--\r\n")];
    return fetch(`${test.url}${path}`, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=x", "apollo-require-preflight": "1" },
      body: Buffer.concat([head, Buffer.from(content), end]),
    });
  };
  const named = 'Content-Disposition: form-data; name="name"';

  it("in UTF-16 may end in the middle of a character", async () => {
    const headers = `${named}\r\nContent-Type: text/plain; charset=utf-16le`;
    expect((await send("/session.json", headers, Buffer.from([0x00, 0xd8]))).status).toBe(424);
  });

  it.each([
    ["in an unknown encoding", `${named}\r\nContent-Type: text/plain; charset=shift_jis`],
    ["without a name", "Content-Disposition: form-data"],
    ["without a name, as a file", 'Content-Disposition: form-data; filename="a.png"'],
  ])("makes the body malformed, and the server keeps running: %s", async (_, headers) => {
    for (const path of ["/session.json", "/uploads.json", "/graphql"]) {
      const response = await send(path, headers, "text");
      expect([response.status, await response.text()]).toEqual([424, expect.stringContaining("body is malformed")]);
    }
    expect((await test.anonymous.get("/posts.json")).status).toBe(200);
  });
});

describe("a refusal that quotes a text like a code of transient database errors", () => {
  it.each(["0A000", "40001", "40P01", "P2034"])("is not retried: %s", async (code) => {
    const { client } = await test.make.user("Member");
    const { json } = await client.post("/artists.json", { artist: { name: `known_for_${code.toLowerCase()}` } });
    const taken = async (url: string) => {
      const answer = await client.put(`/artists/${json.id}.json`, { artist: { url_string: url } });
      const reason = `url_string has "${url}", which is not an http or https URL`;
      expect(answer).toMatchObject({ status: 420, json: { reason } });
      return statementsOf(test, answer.headers.get("x-request-id"));
    };
    const usual = await taken("nowhere");
    expect(await taken(code)).toBe(usual);
  });
});

describe("posts of which only the tags are selected", () => {
  it("have their tags, whatever the process has cached", async () => {
    for (let time = 0; time < 120; time += 1) await test.anonymous.get("/posts.json", { page: `b${1000 + time}` });
    const { json } = await test.anonymous.graphql(
      `{ posts { nodes { id tags { name } } } post(id: 1) { tags { name } } }`,
    );
    const tags = [{ name: "kitten" }, { name: "lowres" }];
    expect(json.data).toEqual({ posts: { nodes: [{ id: 1, tags }] }, post: { tags } });
  });
});
