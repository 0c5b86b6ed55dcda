/** Properties of the S3 storage: headers of objects, their keys in the bucket, and invalid settings. */
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { HeadObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigError, loadConfig } from "../../src/config.js";
import { DiskStorage } from "../../src/storage/disk.js";
import { copyFiles } from "../../src/storage/copy.js";
import { originalKey, previewKey } from "../../src/storage/keys.js";
import { openStorage } from "../../src/storage/open.js";
import { type Storage, StorageUnavailableError } from "../../src/storage/storage.js";
import { toBoardError } from "../../src/database/faults.js";
import { explainFailure } from "../../src/runtime/explain.js";
import { Folder } from "../support/folder.js";
import { freePort } from "../support/redis.js";
import { noS3, TestS3 } from "../support/s3.js";

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
};

describe("the settings of STORAGE=s3", () => {
  const whole = { STORAGE: "s3", S3_BUCKET: "pictures", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };

  it("are a bucket and, unless AWS' tools have them, credentials", () => {
    expect(faultsOf(whole)).toEqual([]);
    expect(faultsOf({ STORAGE: "s3", S3_BUCKET: "pictures" })).toEqual([]);
  });

  it.each<[Record<string, string>, string[]]>([
    [{ S3_BUCKET: "" }, ["S3_BUCKET: STORAGE=s3 needs the name of a bucket"]],
    [{ S3_SECRET_ACCESS_KEY: "" }, ["S3_SECRET_ACCESS_KEY: required with S3_ACCESS_KEY_ID"]],
    [
      { S3_ACCESS_KEY_ID: "", S3_BUCKET: "" },
      ["S3_BUCKET: STORAGE=s3 needs the name of a bucket", "S3_ACCESS_KEY_ID: required with S3_SECRET_ACCESS_KEY"],
    ],
    [{ S3_ENDPOINT: "localhost:9000" }, ["S3_ENDPOINT: must be an http(s) URL without a trailing slash"]],
    [{ S3_PUBLIC_URL: "https://cdn.example/" }, ["S3_PUBLIC_URL: must be an http(s) URL without a trailing slash"]],
    ...["/board", "board/", "a//b", ".", "..", "a/../b", "a/."].map((S3_PREFIX): [Record<string, string>, string[]] => [
      { S3_PREFIX },
      ["S3_PREFIX: must be names separated by slashes, without one at either end"],
    ]),
  ])("are refused with a message for %j", (change, faults) => {
    expect(faultsOf({ ...whole, ...change })).toEqual(faults);
  });

  it("may be incomplete with STORAGE=disk", () => {
    expect(faultsOf({ ...whole, STORAGE: "disk", S3_BUCKET: "" })).toEqual([]);
  });
});

describe.skipIf(noS3)(`${noS3 ? `${noS3}: ` : ""}S3Storage`, () => {
  let store: TestS3;
  let client: S3Client;
  let folder: Folder;
  beforeAll(async () => {
    store = await TestS3.start();
    client = store.client();
    folder = await Folder.make();
  });
  afterAll(async () => {
    client.destroy();
    await folder[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });

  const open = (settings: Record<string, string>) => openStorage(loadConfig({ DATA_DIR: folder.path, ...settings }));
  async function put(storage: Storage, key: string, content: string | Buffer): Promise<void> {
    const temporary = await storage.temporary.create();
    await writeFile(temporary.path, content);
    await storage.put(temporary.path, key);
  }
  const keysOf = async (storage: Storage): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of storage.list()) keys.push(key);
    return keys;
  };

  it.each([
    ["original/ab/cd/x.webm", "video/webm", undefined],
    ["preview/ab/cd/x.jpg", "image/jpeg", undefined],
    ["original/ab/cd/x.html", "application/octet-stream", "attachment"],
  ])("stores %s with its content type and as immutable", async (key, type, disposition) => {
    const settings = await store.bucket();
    await using storage = await open(settings);
    await put(storage, key, "<script>alert(1)</script>");
    const found = await client.send(new HeadObjectCommand({ Bucket: settings.S3_BUCKET, Key: key }));
    expect([found.ContentType, found.CacheControl, found.ContentDisposition]).toEqual([
      type,
      "public, max-age=31536000, immutable",
      disposition,
    ]);
  });

  it("stays within its prefix", async () => {
    const settings = await store.bucket();
    await using whole = await open(settings);
    await using part = await open({ ...settings, S3_PREFIX: "boards/one" });
    await put(whole, "boards/other/x.txt", "another's");
    await put(part, "x.txt", "its own");
    expect(await keysOf(part)).toEqual(["x.txt"]);
    expect(await keysOf(whole)).toEqual(["boards/one/x.txt", "boards/other/x.txt"]);
    await part.remove("x.txt");
    expect(await keysOf(whole)).toEqual(["boards/other/x.txt"]);
  });

  it("lists no folders, such as a console has made for the prefix", async () => {
    const settings = await store.bucket();
    await using storage = await open({ ...settings, S3_PREFIX: "boards/one" });
    await put(storage, "x.txt", "its own");
    for (const Key of ["boards/one/", "boards/one/original/"])
      await client.send(new PutObjectCommand({ Bucket: settings.S3_BUCKET, Key, Body: "" }));
    expect(await keysOf(storage)).toEqual(["x.txt"]);
  });

  it("lists more than a page of keys", async () => {
    const settings = await store.bucket();
    await using storage = await open(settings);
    const names = Array.from({ length: 1005 }, (_, index) => `many/${String(index).padStart(4, "0")}.txt`);
    for (let from = 0; from < names.length; from += 50) {
      const send = (Key: string) => client.send(new PutObjectCommand({ Bucket: settings.S3_BUCKET, Key, Body: "x" }));
      await Promise.all(names.slice(from, from + 50).map(send));
    }
    expect(await keysOf(storage)).toEqual(names);
  });

  it("reads exactly the version that it inspected", async () => {
    await using storage = await open(await store.bucket());
    await put(storage, "x.jpg", "old");
    const { version = "" } = (await storage.stat("x.jpg")) ?? {};
    expect(await text(storage.open("x.jpg", { version }))).toBe("old");
    await put(storage, "x.jpg", "new");
    await expect(text(storage.open("x.jpg", { version }))).rejects.toThrow(StorageUnavailableError);
  });

  it("requests the rest of a file whose connection breaks off, and gives up if nothing more comes", async () => {
    const content = Buffer.alloc(300_000, "0123456789");
    let sizes = [100_000, 100_000, 100_000]; // bytes of each response, after which the connection breaks off
    let knowsRanges = true;
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      response.setHeader("ETag", '"x"');
      if (request.method !== "GET") {
        response.end();
        return;
      }
      const { range: wanted } = request.headers;
      asked.push([wanted, request.headers["if-match"]].join(" "));
      const range = knowsRanges ? wanted : undefined;
      const from = Number(/\d+/.exec(range ?? "0")?.[0]);
      const rest = content.subarray(from);
      const part = { "Content-Range": `bytes ${from}-${content.length - 1}/${content.length}` };
      response.writeHead(range ? 206 : 200, { "Content-Length": rest.length, ...(range ? part : {}) });
      const sent = rest.subarray(0, sizes.shift());
      response.flushHeaders();
      if (sent.length === rest.length) response.end(sent);
      else response.write(sent, () => setTimeout(() => response.destroy(), 50));
    });
    const port = await freePort();
    server.listen(port, "127.0.0.1");
    await using storage = await open({ ...(await store.bucket()), S3_ENDPOINT: `http://127.0.0.1:${port}` });
    expect((await buffer(storage.open("x.jpg"))).equals(content)).toBe(true);
    expect(asked).toEqual([" ", 'bytes=100000- "x"', 'bytes=200000- "x"']);
    sizes = [100_000, 0, 0];
    await expect(buffer(storage.open("x.jpg"))).rejects.toThrow(StorageUnavailableError);
    expect(asked.slice(3)).toEqual([" ", 'bytes=100000- "x"', 'bytes=100000- "x"']);
    [sizes, knowsRanges] = [[100_000], false]; // the whole file comes in place of the rest
    await expect(buffer(storage.open("x.jpg"))).rejects.toThrow(StorageUnavailableError);
    server.close();
  });

  it("stores nothing that was damaged in transit", async () => {
    const settings = await store.bucket();
    const wrong = { Bucket: settings.S3_BUCKET, Key: "x.jpg", Body: "other", ContentMD5: "XUFAKrxLKna5cZ2REBfFkg==" };
    await expect(client.send(new PutObjectCommand(wrong))).rejects.toMatchObject({ name: "BadDigest" });
    await using storage = await open(settings);
    expect(await keysOf(storage)).toEqual([]);
  });

  it("reports wrong settings at start", async () => {
    const settings = await store.bucket();
    const faults = async (change: Record<string, string>) => {
      const outcome = await open({ ...settings, ...change }).catch((error: unknown) => error);
      return outcome instanceof ConfigError ? outcome.faults : outcome;
    };
    expect(await faults({ S3_BUCKET: "nowhere" })).toEqual(["S3_BUCKET: the store has no bucket nowhere"]);
    const refused = `S3_ACCESS_KEY_ID: these credentials have no access to the bucket ${settings.S3_BUCKET}`;
    expect(await faults({ S3_SECRET_ACCESS_KEY: "wrong" })).toEqual([refused]);
    expect(await faults({ S3_ACCESS_KEY_ID: "nobody" })).toEqual([refused]);
  });

  it.each([
    [301, "S3_REGION: the bucket files is not in this region, or its name is invalid"],
    [400, "S3_REGION: the bucket files is not in this region, or its name is invalid"],
    [401, "S3_ACCESS_KEY_ID: these credentials have no access to the bucket files"],
    [403, "S3_ACCESS_KEY_ID: these credentials have no access to the bucket files"],
    [404, "S3_BUCKET: the store has no bucket files"],
  ])("says at start which setting the store refuses with %d", async (status, fault) => {
    const port = await freePort();
    const server = createServer((_, response) => response.writeHead(status).end()).listen(port, "127.0.0.1");
    const settings = { ...(await store.bucket()), S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: "files" };
    await expect(open(settings)).rejects.toMatchObject({ faults: [expect.stringContaining(fault)] });
    server.close();
  });

  it("sends a file once to a store that does not answer in time", async () => {
    let sent = 0;
    const port = await freePort();
    const silent = createServer(({ method }, response) => {
      if (method !== "PUT") response.end();
      else sent += 1;
    }).listen(port, "127.0.0.1");
    const settings = { ...(await store.bucket()), S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_TIMEOUT_MS: "500" };
    await using storage = await open(settings);
    await expect(put(storage, "x.txt", "x")).rejects.toThrow(StorageUnavailableError);
    expect(sent).toBeLessThanOrEqual(1); // 0 if the machine is slow
    silent.closeAllConnections();
    silent.close();
  });

  it("opens while the store is unreachable, and retries before giving up", async () => {
    let asked = 0;
    const port = await freePort();
    const busy = createServer((request, response) => {
      asked += 1;
      request.resume().once("end", () => response.writeHead(503).end());
    }).listen(port, "127.0.0.1");
    const settings = { ...(await store.bucket()), S3_ENDPOINT: `http://127.0.0.1:${port}` };
    await using storage = await open(settings);
    asked = 0;
    await expect(put(storage, "x.txt", "x")).rejects.toThrow(StorageUnavailableError);
    expect(asked).toBeGreaterThanOrEqual(3);
    await expect(storage.stat("x.txt")).rejects.toThrow(StorageUnavailableError);
    await expect(text(storage.open("x.txt"))).rejects.toThrow(StorageUnavailableError);
    await new Promise((resolve) => busy.close(resolve));
    await expect(storage.remove("x.txt")).rejects.toThrow(StorageUnavailableError);
  });

  it("says what to check if the store refuses credentials that it accepted at start", async () => {
    let status = 200;
    const server = createServer(
      (request, response) => void request.resume().once("end", () => response.writeHead(status).end()),
    );
    const port = await freePort();
    server.listen(port, "127.0.0.1");
    await using storage = await open({ ...(await store.bucket()), S3_ENDPOINT: `http://127.0.0.1:${port}` });
    status = 403;
    const asked = [
      () => put(storage, "x.txt", "x"),
      () => storage.stat("x.txt"),
      () => text(storage.open("x.txt")),
      () => storage.remove("x.txt"),
      () => keysOf(storage),
    ];
    for (const ask of asked) {
      const error: unknown = await ask().catch((thrown: unknown) => thrown);
      expect(explainFailure(error)).toMatch(/^the file storage refuses the request \(.+\); check the S3_ settings$/);
      expect(toBoardError(error)).toMatchObject({ key: "storage_unavailable", status: 503 });
    }
    server.close();
  });

  it("signs a request again with the store's time if the store refuses it for clock skew", async () => {
    let ahead = 0; // milliseconds of the store's clock
    const server = createServer((request, response) => {
      const [signed = ""] = [request.headers["x-amz-date"]].flat();
      const at = Date.parse(signed.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
      const now = Date.now() + ahead;
      const isLate = Math.abs(now - at) > 15 * 60_000;
      response.setHeader("Date", new Date(now).toUTCString()).setHeader("ETag", '"x"').statusCode = isLate ? 403 : 200;
      const refusal = isLate ? "<Error><Code>RequestTimeTooSkewed</Code></Error>" : "";
      request.resume().once("end", () => response.end(refusal));
    });
    const port = await freePort();
    server.listen(port, "127.0.0.1");
    await using storage = await open({ ...(await store.bucket()), S3_ENDPOINT: `http://127.0.0.1:${port}` });
    for (const hours of [1, 0]) {
      ahead = hours * 3_600_000;
      await put(storage, "x.txt", "x");
    }
    server.close();
  });

  it("sends a file again if it arrived damaged, and reports the store as unavailable if it always does", async () => {
    let damaged = 2;
    const server = createServer((request, response) => {
      const isDamaged = request.method === "PUT" && (damaged -= 1) >= 0;
      request.resume().once("end", () => {
        response.setHeader("ETag", '"x"').statusCode = isDamaged ? 400 : 200;
        response.end(isDamaged ? "<Error><Code>BadDigest</Code></Error>" : "");
      });
    });
    const port = await freePort();
    server.listen(port, "127.0.0.1");
    await using storage = await open({ ...(await store.bucket()), S3_ENDPOINT: `http://127.0.0.1:${port}` });
    await put(storage, "x.txt", "x");
    damaged = Infinity;
    await expect(put(storage, "x.txt", "x")).rejects.toThrow(StorageUnavailableError);
    server.close();
  });

  it("considers a file stored only if the response has its ETag, not a proxy's page or something that is not HTTP", async () => {
    const page = "<html>sign in</html>";
    const responses = [
      `HTTP/1.1 200 OK\r\nContent-Length: ${page.length}\r\n\r\n${page}`,
      "HTTP/1.1 204 No\r\n\r\n",
      ...["301 Elsewhere", "404 No", "405 No"].map((status) => `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`),
      "?\r\n\r\n",
    ];
    for (const response of responses) {
      const proxy = createServer((request, { socket }) => {
        const answer = request.method === "PUT" ? response : "HTTP/1.1 200 OK\r\n\r\n";
        request.resume().once("end", () => socket?.end(answer));
      });
      const port = await freePort();
      proxy.listen(port, "127.0.0.1");
      await using storage = await open({ ...(await store.bucket()), S3_ENDPOINT: `http://127.0.0.1:${port}` });
      await expect(put(storage, "x.txt", "x")).rejects.toThrow(StorageUnavailableError);
      proxy.close();
    }
  });

  it("removes a file that does not exist also where the store responds with 404 to that, but not from a bucket that does not exist", async () => {
    let code = "NoSuchKey";
    const server = createServer((request, response) => {
      response.statusCode = request.method === "DELETE" ? 404 : 200;
      request.resume().once("end", () => response.end(`<Error><Code>${code}</Code></Error>`));
    });
    const port = await freePort();
    server.listen(port, "127.0.0.1");
    await using storage = await open({ ...(await store.bucket()), S3_ENDPOINT: `http://127.0.0.1:${port}` });
    await storage.remove("x.txt");
    code = "NoSuchBucket";
    await expect(storage.remove("x.txt")).rejects.toThrow("refuses");
    server.close();
  });

  describe("copyFiles", () => {
    const md5 = "5d41402abc4b2a76b9719d911017c592"; // of "hello"
    const original = originalKey({ md5, fileExt: "png" });
    const preview = previewKey({ md5 });

    it("copies only missing files, in both directions", async () => {
      await using disk = new DiskStorage(folder.at("disk"));
      await using bucket = await open(await store.bucket());
      await put(disk, original, "hello");
      await put(disk, preview, "a preview");
      await put(disk, "original/notes.txt", "a stray");
      const damaged = originalKey({ md5: "0".repeat(32), fileExt: "png" });
      await put(disk, damaged, "not what its name says");
      const refused = [damaged, "original/notes.txt"];
      const sorted = ({ refused: keys, ...report }: Awaited<ReturnType<typeof copyFiles>>) => ({
        ...report,
        refused: keys.sort(),
      });
      expect(sorted(await copyFiles(disk, bucket))).toEqual({ copied: 2, present: 0, refused });
      expect(sorted(await copyFiles(disk, bucket))).toEqual({ copied: 0, present: 2, refused });
      expect(await keysOf(bucket)).toEqual([original, preview]);

      await using other = new DiskStorage(folder.at("other"));
      await put(other, preview, "cut off");
      expect(await copyFiles(bucket, other)).toEqual({ copied: 2, present: 0, refused: [] });
      expect([await text(other.open(original)), await text(other.open(preview))]).toEqual(["hello", "a preview"]);
    });

    it("reports progress, and stops if the store is unreachable", async () => {
      await using disk = new DiskStorage(folder.at("third"));
      await put(disk, original, "hello");
      const seen: unknown[] = [];
      const settings = { ...(await store.bucket()), S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` };
      await using away = await open(settings);
      await expect(copyFiles(disk, away, (...step) => seen.push(step))).rejects.toThrow(StorageUnavailableError);
      expect(seen).toEqual([["copy", 0, 1]]);
    });
  });
});
