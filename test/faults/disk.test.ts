/** A storage that is full or read-only: uploads get 503 and leave nothing behind, everything else works. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAILURES } from "../../src/errors.js";
import { DiskStorage } from "../../src/storage/disk.js";
import { originalKey } from "../../src/storage/keys.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { Folder } from "../support/folder.js";
import { OwnServer } from "../support/own-server.js";
import { get, RawClient } from "../support/raw-client.js";
import { serving, type Site, startSite } from "../support/site.js";
import { noDisk, SmallDisk } from "../support/small-disk.js";
import { tracesOf, uploadsOf } from "../support/traces.js";

const REASON = "the server cannot handle the request now; try again later";
const KiB = 1024;

/** A picture that can't be packed, 1.1 MB large, with a sample. */
const largePicture = () =>
  sharp(randomBytes(900 * 400 * 3), { raw: { width: 900, height: 400, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();

let test: TestBoard;
let site: Site;
let uploader: TestUser;
let post: TestPost;

async function open(settings: Record<string, string>, storage?: DiskStorage): Promise<void> {
  site = await startSite();
  test = await startBoard({ SOURCE_ALLOW_HOSTS: site.host, ...settings }, storage ? { storage } : {});
  uploader = await test.make.user("Contributor");
}

async function close(): Promise<void> {
  await test[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
}

/** The three ways of a file into the board. */
const WAYS: [string, (content: Buffer) => Promise<Answer>][] = [
  ["a file", (content) => test.make.upload(uploader, { file: new Blob([new Uint8Array(content)]) })],
  [
    "a source",
    (content) => {
      site.pages.set("/picture.png", serving(content, "image/png"));
      return test.make.upload(uploader, { file: undefined, source: `${site.url}/picture.png` });
    },
  ],
  [
    "a file by GraphQL",
    async (content) => {
      const form = new FormData();
      const query = `mutation($file: File) { createUpload(input: { file: $file, rating: SAFE, tagString: "x" }) { upload { id } } }`;
      form.append("operations", JSON.stringify({ query, variables: { file: null } }));
      form.append("map", JSON.stringify({ 0: ["variables.file"] }));
      form.append("0", new Blob([new Uint8Array(content)]));
      const answer = await uploader.client.send("/graphql", {
        method: "POST",
        body: form,
        headers: { "apollo-require-preflight": "1" },
      });
      const [error] = answer.json.errors ?? [];
      return error ? { ...answer, status: error.extensions.status, json: { reason: error.message } } : answer;
    },
  ],
];

/** That an upload is refused as the board's own fault, with nothing left of it. */
async function expectRefused(way: (content: Buffer) => Promise<Answer>): Promise<void> {
  const before = [await tracesOf(test), await uploadsOf(test, uploader.id)];
  const answer = await way(await largePicture());
  expect(test.log.filter(({ msg }) => msg === FAILURES.internal.reason)).toEqual([]);
  expect([answer.status, answer.json.reason]).toEqual([503, REASON]);
  expect([await tracesOf(test), await uploadsOf(test, uploader.id)]).toEqual(before);
}

/** That everything goes on which needs no room for files. */
async function expectTheRest(): Promise<void> {
  const { client } = uploader;
  expect((await test.anonymous.get("/posts.json")).status).toBe(200);
  const shown = await test.anonymous.get(`/posts/${post.id}.json`);
  expect((await fetch(shown.json.file_url as string)).status).toBe(200);
  expect((await client.put(`/posts/${post.id}.json`, { post: { tag_string: "edited" } })).status).toBe(200);
  expect((await client.post("/comments.json", { comment: { post_id: post.id, body: "words" } })).status).toBe(200);
  expect((await test.anonymous.get("/readyz")).status).toBe(200);
}

describe.skipIf(noDisk)(`${noDisk ? `${noDisk}: ` : ""}a disk`, () => {
  let disk: SmallDisk;
  beforeAll(async () => {
    disk = await SmallDisk.mount(12);
    await open({ DATA_DIR: disk.path });
    post = await test.make.post();
  });
  afterAll(async () => {
    await close();
    await disk[Symbol.asyncDispose]();
  });

  // the first bytes of the file, its rest, its previews, the folders that it is to lie in
  describe.each([0, 400 * KiB, 1080 * KiB, 1100 * KiB])("with room for %i bytes", (room) => {
    it.each(WAYS)("refuses %s with 503 and leaves nothing behind", async (_, way) => {
      await disk.fill(room);
      await expectRefused(way);
    });
  });

  it("that is full keeps everything else working, and accepts uploads when there is space again", async () => {
    await disk.fill(0);
    await expectTheRest();
    await disk.empty();
    for (const [, way] of WAYS) expect((await way(await largePicture())).status).toBe(200);
  });

  it("that is read-only does the same", async () => {
    disk.readOnly(true);
    for (const [, way] of WAYS) await expectRefused(way);
    await expectTheRest();
    disk.readOnly(false);
    for (const [, way] of WAYS) expect((await way(await largePicture())).status).toBe(200);
  });

  it("that is read-only does not keep the board from starting for reads and from stopping", async () => {
    await rm(`${disk.path}/filler`, { force: true });
    disk.readOnly(true);
    const other = await startBoard({ DATA_DIR: disk.path });
    expect((await other.anonymous.get("/posts.json")).status).toBe(200);
    await other[Symbol.asyncDispose]();
    disk.readOnly(false);
  });
});

/** Behind the name of each temporary file is Linux' own full disk. */
function fullStorage(mediaDir: string): DiskStorage {
  const storage = new DiskStorage(mediaDir);
  const { temporary } = storage;
  const create = temporary.create.bind(temporary);
  temporary.create = async (ext) => {
    const file = await create(ext);
    await symlink("/dev/full", file.path);
    return file;
  };
  return storage;
}

describe("storage that is full from the start", () => {
  let folder: Folder;
  beforeAll(async () => {
    folder = await Folder.make();
    await open({}, fullStorage(folder.at("media")));
  });
  afterAll(async () => {
    await close();
    await folder[Symbol.asyncDispose]();
  });

  it.each(WAYS)("refuses %s with 503 and leaves nothing behind", async (_, way) => {
    await expectRefused(way);
  });
});

/** Puts files in place, and then fails to sync the folders. */
function unsyncedStorage(mediaDir: string, code: string): DiskStorage {
  const storage = new DiskStorage(mediaDir);
  const put = storage.put.bind(storage);
  storage.put = async (from, key) => {
    await put(from, key);
    throw Object.assign(new Error(`${code}, fsync`), { code });
  };
  return storage;
}

describe.each(["ENOSPC", "EIO"])("storage whose folders can't be synced (%s)", (code) => {
  let folder: Folder;
  beforeAll(async () => {
    folder = await Folder.make();
    await open({}, unsyncedStorage(folder.at("media"), code));
  });
  afterAll(async () => {
    await close();
    await folder[Symbol.asyncDispose]();
  });

  it.each(WAYS)("refuses %s with 503 and removes the files that are in place", async (_, way) => {
    await expectRefused(way);
    for await (const { key } of new DiskStorage(folder.at("media")).list()) expect.fail(key);
  });
});

describe("a server that can open no more files", () => {
  it("answers a request for one with 503, and serves it as soon as it can", async () => {
    await using server = await OwnServer.start();
    const key = originalKey({ md5: "0".repeat(32), fileExt: "png" });
    const file = path.join(server.dataDir, "media", key);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, "a picture");
    const limitFiles = (most: number) =>
      execFileSync("prlimit", ["--pid", String(server.process.pid), `--nofile=${most}:`]);
    using client = await RawClient.connect(server.process.url);
    limitFiles(1);
    client.say(get(`/data/${key}`));
    await expect.poll(() => client.received).toContain(REASON);
    expect([client.status, client.received.includes("Retry-After: 5")]).toEqual([503, true]);
    limitFiles(1000);
    client.say(get(`/data/${key}`));
    await expect.poll(() => client.received).toMatch(/HTTP\/1\.1 200 [^]*a picture$/);
  });
});
