import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { jpeg, png, webp } from "../support/pictures.js";
import { RawClient } from "../support/raw-client.js";
import { noS3, TestS3 } from "../support/s3.js";

let test: TestBoard;

/** Where the files may be, each with what it can't be tried without here: they are served alike. */
const STORAGES: ["disk" | "s3", string | null][] = [
  ["disk", null],
  ["s3", noS3],
];

interface PostWithFile {
  id: number;
  md5: string;
  file_url: string;
  large_file_url: string;
  preview_file_url: string;
  has_large: boolean;
}

/** The post of this file, as anybody sees it. */
async function postWith(file: Buffer): Promise<PostWithFile> {
  const { id } = await test.make.post("tree", { file: new Blob([new Uint8Array(file)]) });
  return (await test.anonymous.get(`/posts/${id}.json`)).json as PostWithFile;
}

async function bytesAt(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

/** A path and headers as they are; `fetch` would tidy up the path, and add `no-cache` to a condition. */
function rawGet(rawPath: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(test.url, { path: rawPath, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    sent.on("error", reject).end();
  });
}

describe.each(STORAGES)("GET /data, of files in STORAGE=%s", (kind, lacking) => {
  describe.skipIf(lacking)(`${lacking ? `${lacking}: ` : ""}a file`, () => {
    let store: TestS3 | null = null;
    let file: Buffer;
    let post: PostWithFile;
    beforeAll(async () => {
      if (kind === "s3") store = await TestS3.start();
      test = await startBoard(await store?.bucket());
      file = await png({ width: 1000, height: 700, seed: 3001 });
      post = await postWith(file);
    });
    afterAll(async () => {
      await test[Symbol.asyncDispose]();
      await store?.[Symbol.asyncDispose]();
    });

    it("serves the original, byte for byte", async () => {
      expect(post.file_url).toMatch(new RegExp(`^${test.url}/data/original/../../${post.md5}\\.png$`));
      expect((await bytesAt(post.file_url)).equals(file)).toBe(true);
      expect(createHash("md5").update(file).digest("hex")).toBe(post.md5);
    });

    it("serves a preview within 180x180 and a sample 850 wide, both JPEG", async () => {
      const preview = await sharp(await bytesAt(post.preview_file_url)).metadata();
      const sample = await sharp(await bytesAt(post.large_file_url)).metadata();
      expect([preview.format, preview.width, preview.height]).toEqual(["jpeg", 180, 126]);
      expect([sample.format, sample.width, sample.height]).toEqual(["jpeg", 850, 595]);
      expect(post.has_large).toBe(true);
    });

    it("has no sample of a picture of 850 pixels, and never enlarges", async () => {
      const narrow = await postWith(await jpeg({ width: 850, height: 100, seed: 3002 }));
      expect([narrow.has_large, narrow.large_file_url]).toEqual([false, narrow.file_url]);
      const small = await postWith(await jpeg({ width: 50, height: 20, seed: 3003 }));
      const preview = await sharp(await bytesAt(small.preview_file_url)).metadata();
      expect([preview.width, preview.height]).toEqual([50, 20]);
    });

    it("has its type, is cached forever, and can't run as a page", async () => {
      const { status, headers } = await fetch(post.file_url);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "image/png",
        "content-length": String(file.length),
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "accept-ranges": "bytes",
      });
      expect((await fetch(post.preview_file_url)).headers.get("content-type")).toBe("image/jpeg");
      const other = await postWith(await webp({ seed: 3004 }));
      expect((await fetch(other.file_url)).headers.get("content-type")).toBe("image/webp");
    });

    it("serves ranges, and 416 for one outside", async () => {
      const range = async (bytes: string) => {
        const response = await fetch(post.file_url, { headers: { range: `bytes=${bytes}` } });
        const body = Buffer.from(await response.arrayBuffer());
        return [response.status, response.headers.get("content-range"), body] as const;
      };
      const { length } = file;
      expect(await range("0-9")).toEqual([206, `bytes 0-9/${length}`, file.subarray(0, 10)]);
      expect(await range("10-")).toEqual([206, `bytes 10-${length - 1}/${length}`, file.subarray(10)]);
      expect(await range("-5")).toEqual([206, `bytes ${length - 5}-${length - 1}/${length}`, file.subarray(-5)]);
      expect(await range(`${length}-`)).toEqual([416, `bytes */${length}`, Buffer.alloc(0)]);
      expect(await range("0-1,4-5")).toEqual([200, null, file]);
      expect(await range("none")).toEqual([200, null, file]);
    });

    it("serves a range only of unchanged content, with If-Range", async () => {
      const { headers } = await fetch(post.file_url);
      const rest = (condition: string | null) =>
        fetch(post.file_url, { headers: { range: "bytes=5-", "if-range": String(condition) } });
      const [etag, modified] = [headers.get("etag"), headers.get("last-modified")];
      const before = new Date(Date.parse(String(modified)) - 60_000).toUTCString();
      const statuses = [await rest(etag), await rest(modified), await rest('W/"other"'), await rest(before)];
      expect(statuses.map(({ status }) => status)).toEqual([206, 206, 200, 200]);
    });

    it("304 for conditional requests, and HEAD without a body", async () => {
      const { headers } = await fetch(post.file_url);
      const [etag, modified] = [String(headers.get("etag")), String(headers.get("last-modified"))];
      const { pathname } = new URL(post.file_url);
      expect(await rawGet(pathname, { "if-none-match": etag })).toEqual({ status: 304, text: "" });
      expect(await rawGet(pathname, { "if-modified-since": modified })).toEqual({ status: 304, text: "" });
      expect((await rawGet(pathname, { "if-none-match": 'W/"other"' })).status).toBe(200);
      const head = await fetch(post.file_url, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
        200,
        String(file.length),
        "",
      ]);
    });

    it("412 if it is not the content that the request is about", async () => {
      const { headers } = await fetch(post.file_url);
      const [etag, modified] = [String(headers.get("etag")), String(headers.get("last-modified"))];
      const before = new Date(Date.parse(modified) - 60_000).toUTCString();
      const { pathname } = new URL(post.file_url);
      const statusOf = async (condition: Record<string, string>) => (await rawGet(pathname, condition)).status;
      for (const match of [etag, `"other", ${etag}`, "*"]) expect(await statusOf({ "if-match": match })).toBe(200);
      expect(await statusOf({ "if-unmodified-since": modified })).toBe(200);
      expect(await rawGet(pathname, { "if-match": '"other"' })).toEqual({ status: 412, text: "" });
      expect(await rawGet(pathname, { "if-unmodified-since": before })).toEqual({ status: 412, text: "" });
    });

    it("404 for a missing file, uncached", async () => {
      const missing = [
        `/data/original/00/00/${"0".repeat(32)}.png`,
        `/data/original/00/00/${"0".repeat(32)}.${"a".repeat(300)}`,
        `/data/original/${post.md5}.png`,
        new URL(post.file_url).pathname.replace(".png", ".jpg"),
        new URL(post.file_url).pathname.toUpperCase(),
        `${new URL(post.file_url).pathname}/`,
        "/data/original",
        "/data/",
        "/data",
      ];
      for (const each of missing) {
        const answer = await test.anonymous.get(each);
        expect([each, answer.status, answer.json?.reason]).toEqual([each, 404, "not found"]);
        expect(answer.headers.get("cache-control") ?? "").not.toContain("immutable");
        expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
      }
    });

    it("404 for every way out of the folder", async () => {
      const secret = await readFile(path.join(test.board.config.dataDir, "secret"), "utf8").catch(() => null);
      const ups = ["..", "%2e%2e", "..%2f..", "%2e%2e%2f%2e%2e", "..%5c..", "....//"];
      const paths = ups.flatMap((up) => [
        `/data/${up}/secret`,
        `/data/original/${up}/${up}/secret`,
        `/data/original/00/00/${up}/${up}/${up}/${up}/secret`,
      ]);
      const odd = ["/data//etc/passwd", "/data/%00", "/data/original/%00.png", "/data/tmp", "/data/tmp/", "/data/%ff"];
      for (const each of [...paths, ...odd]) {
        const { status, text } = await rawGet(each);
        expect([each, status >= 400 && status < 500, secret !== null && text.includes(secret)]).toEqual([
          each,
          true,
          false,
        ]);
      }
    });

    it("accepts no other method", async () => {
      for (const method of ["POST", "PUT", "DELETE"]) {
        expect((await fetch(post.file_url, { method })).status).toBe(404);
      }
      expect((await bytesAt(post.file_url)).equals(file)).toBe(true);
    });
  });
});

it("a connection stays open after 304 and HEAD for as long as after other responses, not for SEND_TIMEOUT_MS", async () => {
  await using own = await startBoard({ SEND_TIMEOUT_MS: "100" });
  const { id } = await own.make.post();
  const { pathname } = new URL((await own.anonymous.get(`/posts/${id}.json`)).json.file_url as string);
  for (const [head, status] of [
    [`HEAD ${pathname} HTTP/1.1\r\n`, 200],
    [`GET ${pathname} HTTP/1.1\r\nIf-None-Match: *\r\n`, 304],
  ] as const) {
    using client = await RawClient.connect(own.url);
    client.say(`${head}Host: board\r\n\r\n`);
    await expect.poll(() => client.status).toBe(status);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(client.isClosed).toBe(false);
  }
});
