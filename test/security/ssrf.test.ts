/** No user can make this server send requests to private addresses: in any notation, in every operation that downloads. */
import type { LookupAddress } from "node:dns";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { guardedLookup } from "../../src/sources/target.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { redirecting, type Site, startSite } from "../support/site.js";
import { filesOf } from "../support/traces.js";

const MAX_BYTES = 100_000;

/** A machine that only this server can reach; the board may not ask it. */
let secret: Server;
let asked: number;
let secretPort: number;
/** A site of the world, as far as the board knows. */
let site: Site;
let test: TestBoard;
let user: TestUser;
let post: TestPost;
beforeAll(async () => {
  secret = createServer((_, response) => {
    asked += 1;
    response.end("secret");
  });
  await new Promise<void>((resolve) => secret.listen(0, "0.0.0.0", resolve));
  secretPort = (secret.address() as AddressInfo).port;
  site = await startSite();
  test = await startBoard({
    SOURCE_ALLOW_HOSTS: site.host,
    SOURCE_TIMEOUT_MS: "700",
    MAX_UPLOAD_BYTES: String(MAX_BYTES),
  });
  user = await test.make.user("Contributor");
  post = await test.make.post("one_tag", {}, user);
});
beforeEach(() => void (asked = 0));
afterAll(async () => {
  secret.close();
  await test[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const CREATE = `mutation($input: CreateUploadInput!) { createUpload(input: $input) { upload { status } } }`;

/** Every operation in which a user names a URL that is downloaded. */
const DOWNLOADS: [string, (source: string) => Promise<Answer>][] = [
  [
    "POST /uploads",
    (source) => user.client.post("/uploads.json", { upload: { source, rating: "s", tag_string: "x" } }),
  ],
  ["createUpload", (source) => user.client.graphql(CREATE, { input: { source, rating: "SAFE", tagString: "x" } })],
];

const outcomeOf = ({ status, json }: Answer): [number, string] => {
  const body = json as { reason?: string; errors?: { message: string; extensions?: { status: number } }[] };
  const [error] = Array.isArray(body.errors) ? body.errors : [];
  return error ? [error.extensions?.status ?? status, error.message] : [status, body.reason ?? ""];
};
const refusal = (text: string): [number, string] => [420, `source ${text}`];
const NOT_PUBLIC = refusal("leads to an address that is not public");
const NO_WEB = refusal("is not an http or https URL");

/** The machine's own addresses, as browsers, libraries and people write them. */
const OWN = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "0177.0.0.1",
  "0177.0.0.01",
  "017700000001",
  "0x7f.0.0.1",
  "0x7f000001",
  "0x7F.1",
  "2130706433",
  "0",
  "0.0.0.0",
  "127.0.0.1.",
  "127。0。0。1",
  "①②⑦.0.0.1",
  "%31%32%37.0.0.1",
  "localhost",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[fe80::1]",
  "169.254.169.254",
  "0xa9.0xfe.0xa9.0xfe",
  "[::ffff:169.254.169.254]",
  "[fd00:ec2::254]",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.0.1",
  "100.64.0.1",
];

describe.each(DOWNLOADS)("%s", (_, send) => {
  it.each(OWN)("refuses http://%s, on any port", async (host) => {
    for (const port of [80, 8080, secretPort])
      expect(outcomeOf(await send(`http://${host}:${port}/`))).toEqual(NOT_PUBLIC);
    expect(asked).toBe(0);
  });

  it.each([22, 25, 2375, 5432, 6379, 11211])("refuses ports of other services: %i", async (port) => {
    expect(outcomeOf(await send(`http://8.8.8.8:${port}/`))).toEqual(NOT_PUBLIC);
  });

  it.each([
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "ftp://127.0.0.1/",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "data:image/png;base64,AAAA",
    "dict://127.0.0.1/",
    "http://user@8.8.8.8/",
    "http://user:password@8.8.8.8/",
    "http://127.0.0.1:80@8.8.8.8/",
  ])("refuses the URL %s", async (url) => {
    expect([NO_WEB, NOT_PUBLIC]).toContainEqual(outcomeOf(await send(url)));
    expect(asked).toBe(0);
  });

  it("refuses redirects to private addresses", async () => {
    const places = [`http://127.0.0.1:${secretPort}/`, `http://[::1]:${secretPort}/`, "http://0x7f.1/", "//localhost/"];
    for (const [index, place] of [...places, "file:///etc/passwd", "http://u:p@8.8.8.8/"].entries()) {
      site.pages.set(`/leads/${index}`, redirecting(place));
      const expected = index < places.length ? NOT_PUBLIC : NO_WEB;
      expect([place, outcomeOf(await send(`${site.url}/leads/${index}`))]).toEqual([place, expected]);
    }
    expect(asked).toBe(0);
  });

  it("refuses a response that begins with any number of others, before its time is over", async () => {
    site.pages.set("/hints", ({ socket }) => {
      const more = (): unknown =>
        socket.destroyed || socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(1000), () => setImmediate(more));
      more();
    });
    expect(outcomeOf(await send(`${site.url}/hints`))).toEqual(refusal("could not be downloaded"));
  });

  it("refuses compressed, endless and slow bodies, and keeps nothing of them", async () => {
    const before = await filesOf(test);
    const packed = gzipSync(Buffer.alloc(50 * MAX_BYTES));
    const packing = { "content-encoding": "gzip", "content-type": "image/png" };
    site.pages.set("/bomb", (_request, response) => response.writeHead(200, packing).end(packed));
    site.pages.set("/endless", (_request, response) => {
      const more = (): unknown => response.destroyed || response.write(Buffer.alloc(30_000), () => setImmediate(more));
      more();
    });
    site.pages.set("/trickle", (_request, response) => {
      const timer = setInterval(() => response.write("x"), 20);
      response.once("close", () => clearInterval(timer));
    });
    expect(outcomeOf(await send(`${site.url}/bomb`))).toEqual(refusal("could not be downloaded"));
    expect(outcomeOf(await send(`${site.url}/endless`))).toEqual(refusal(`is larger than ${MAX_BYTES} bytes`));
    expect(outcomeOf(await send(`${site.url}/trickle`))).toEqual(refusal("could not be downloaded in time"));
    await expect.poll(() => filesOf(test)).toEqual(before);
  });
});

describe("PUT /posts/{id} with a source", () => {
  it("stores a URL with a private address as text, without a request", async () => {
    for (const host of OWN) {
      const source = `http://${host}:${secretPort}/`;
      const { status } = await user.client.put(`/posts/${post.id}.json`, { post: { source } });
      expect([source, status]).toEqual([source, 200]);
    }
    site.pages.set("/inside", redirecting(`http://127.0.0.1:${secretPort}/`));
    await user.client.put(`/posts/${post.id}.json`, { post: { source: `${site.url}/inside` } });
    expect(asked).toBe(0);
  });
});

describe("DNS rebinding", () => {
  const PUBLIC = { address: "192.88.98.1", family: 4 };
  const PRIVATE = { address: "127.0.0.1", family: 4 };

  /** Answers with one list after the other, the last one for ever. */
  function nameServer(...answers: LookupAddress[][]) {
    const questions: string[] = [];
    const resolve = (host: string) => {
      questions.push(host);
      return Promise.resolve(answers[Math.min(questions.length, answers.length) - 1] ?? []);
    };
    return { questions, lookup: guardedLookup(resolve) };
  }

  /** What a connection goes to, or why there is none; it is not waited for. */
  const destination = (lookup: ReturnType<typeof guardedLookup>): Promise<unknown> =>
    new Promise((resolve) => {
      const socket = connect({
        host: "rebind.example",
        port: secretPort,
        lookup,
        autoSelectFamily: false,
      });
      socket.on("lookup", (error: Error | null, address: string) => {
        resolve(error ? (error as { reason?: string }).reason : address);
        socket.destroy();
      });
      socket.on("error", () => undefined);
    });

  it("the name is resolved once per connection, which uses the checked address", async () => {
    const { lookup, questions } = nameServer([PUBLIC], [PRIVATE]);
    expect(await destination(lookup)).toBe(PUBLIC.address);
    expect([questions, asked]).toEqual([["rebind.example"], 0]);
  });

  it("the name is checked again for the next connection", async () => {
    const { lookup } = nameServer([PUBLIC], [PRIVATE]);
    await destination(lookup);
    expect(await destination(lookup)).toBe(NOT_PUBLIC[1]);
    expect(asked).toBe(0);
  });

  it("a name with one private address among several is refused", async () => {
    expect(await destination(nameServer([PUBLIC, PRIVATE]).lookup)).toBe(NOT_PUBLIC[1]);
    expect(await destination(nameServer([]).lookup)).toBe(NOT_PUBLIC[1]);
  });
});

it("the private server is reachable without the check", async () => {
  expect(await (await fetch(`http://127.0.0.1:${secretPort}/`)).text()).toBe("secret");
  expect(asked).toBe(1);
});
