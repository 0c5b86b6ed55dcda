/** A board with its files in an S3 store: everything done with files, and the contents of the bucket afterwards. */
import { createHash } from "node:crypto";
import { readdir, stat, truncate, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import {
  DeleteBucketPolicyCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeBackup } from "../../src/operations/backup/backup.js";
import { restoreBackup } from "../../src/operations/backup/restore.js";
import { StorageAudit } from "../../src/operations/storage-audit.js";
import { tasks } from "../../src/operations/tasks.js";
import { loadConfig } from "../../src/config.js";
import { originalKey, possibleKeys, previewKey, sampleKey, thumbnailKey } from "../../src/storage/keys.js";
import { openStorage, type StorageKind } from "../../src/storage/open.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { CLEAN, query } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import type { TestUser } from "../support/factory.js";
import { Folder } from "../support/folder.js";
import { jpeg } from "../support/pictures.js";
import { tally, times } from "../support/processes.js";
import { noS3, TestS3 } from "../support/s3.js";
import { OwnServer } from "../support/own-server.js";
import { serving, type Site, startSite } from "../support/site.js";

const JOB = { attempts: 1, maxAttempts: 25, stopping: new AbortController().signal };

describe.skipIf(noS3)(`${noS3 ? `${noS3}: ` : ""}a board over S3`, () => {
  let store: TestS3;
  let client: S3Client;
  let settings: Record<string, string>;
  let site: Site;
  let folder: Folder;
  let database: TestDatabase;
  let test: TestBoard;
  let owner: TestUser;
  let serial = 91_000;
  beforeAll(async () => {
    store = await TestS3.start();
    client = store.client();
    site = await startSite();
    folder = await Folder.make();
    database = await createDatabase();
    settings = {
      ...(await store.bucket()),
      DATABASE_URL: database.url,
      S3_PREFIX: "board",
      SOURCE_ALLOW_HOSTS: site.host,
    };
    test = await startBoard(settings);
    owner = await test.make.user("Admin");
  });
  afterAll(async () => {
    await test[Symbol.asyncDispose]();
    await database.drop();
    await folder[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    client.destroy();
    await store[Symbol.asyncDispose]();
  });

  /** A picture that has a sample, and that no other call gives. */
  const picture = () => jpeg({ width: 900, height: 90, seed: (serial += 1) });
  const asFile = (content: Buffer) => new Blob([new Uint8Array(content)]);
  const make = async () => test.make.post("tree", { file: asFile(await picture()) }, owner);
  const keysOfPost = ({ md5 }: { md5: string }): string[] => possibleKeys({ md5, fileExt: "jpg" });

  /** All keys in the bucket. */
  async function keys(bucket = settings.S3_BUCKET, prefix = "board/"): Promise<string[]> {
    const found = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    return (found.Contents ?? []).map(({ Key = "" }) => Key.replace(prefix, "")).sort();
  }

  async function put(key: string, content: string | Buffer): Promise<void> {
    const { storage } = test.board;
    const temporary = await storage.temporary.create();
    await writeFile(temporary.path, content);
    await storage.put(temporary.path, key);
    await temporary.remove();
  }

  const read = (key: string): Promise<Buffer> => buffer(test.board.storage.open(key));

  /** What is on the server's own disk of files: nothing, but for the folders of temporary ones. */
  const localFiles = async () => {
    const entries = await readdir(test.board.config.mediaDir, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  };

  it("stores original, thumbnails and sample in the bucket, and none on disk", async () => {
    const content = await picture();
    const post = await test.make.post("tree", { file: asFile(content) }, owner);
    expect(await keys()).toEqual(keysOfPost(post).sort());
    expect(await localFiles()).toEqual([]);
    const original = { Bucket: settings.S3_BUCKET, Key: `board/${originalKey({ md5: post.md5, fileExt: "jpg" })}` };
    const { ContentType, CacheControl, ETag } = await client.send(new HeadObjectCommand(original));
    expect([ContentType, CacheControl, ETag]).toEqual([
      "image/jpeg",
      "public, max-age=31536000, immutable",
      `"${post.md5}"`,
    ]);
    const { json } = await test.anonymous.get(`/posts/${post.id}.json`);
    expect(json.file_url).toBe(`${test.url}/data/${originalKey({ md5: post.md5, fileExt: "jpg" })}`);
    const served = await fetch(json.file_url as string, { headers: { range: "bytes=10-19" } });
    expect([served.status, Buffer.from(await served.arrayBuffer())]).toEqual([206, content.subarray(10, 20)]);
  });

  it("leaves nothing of an upload that is refused after its file was stored", async () => {
    const before = await keys();
    const answer = await test.make.upload(owner, { file: asFile(await picture()), parent_id: 2_000_000_000 });
    expect(answer.status).toBe(420);
    expect([await keys(), await localFiles()]).toEqual([before, []]);
  });

  it("has a job remove what was stored of an upload before the store refused the rest", async () => {
    const before = await keys();
    const bucket = `arn:aws:s3:::${settings.S3_BUCKET}`;
    const deny = (action: string, keysOf: string) => ({
      Effect: "Deny",
      Principal: "*",
      Action: [action],
      Resource: [`${bucket}/board/${keysOf}*`],
    });
    const policy = {
      Version: "2012-10-17",
      Statement: [deny("s3:PutObject", "original/"), deny("s3:DeleteObject", "")],
    };
    await client.send(new PutBucketPolicyCommand({ Bucket: settings.S3_BUCKET, Policy: JSON.stringify(policy) }));
    const answer = await test.make.upload(owner, { file: asFile(await picture()) });
    await client.send(new DeleteBucketPolicyCommand({ Bucket: settings.S3_BUCKET }));
    expect([answer.status, (await keys()).length]).toEqual([503, before.length + 4]);
    const jobs = await query<{ payload: object }>(
      database.url,
      "SELECT payload FROM graphile_worker._private_jobs WHERE payload ->> 'md5' IS NOT NULL",
    );
    for (const { payload } of jobs) await tasks(test.board).remove_files?.(payload, JOB);
    expect(await keys()).toEqual(before);
  });

  it("accepts one of several concurrent uploads of the same file, and keeps its objects", async () => {
    await using other = await startBoard(settings);
    const [before, content] = [await keys(), await picture()];
    const users = await times(6, () => test.make.user("Contributor"));
    const answers = await times(6, (index) => {
      const at = users[index]?.client as TestUser["client"];
      const there = Object.assign(Object.create(at) as typeof at, { url: index % 2 ? test.url : other.url });
      return there.post("/uploads.json", { upload: { file: asFile(content), rating: "s", tag_string: "tree" } });
    });
    expect(tally(answers)).toEqual({ 200: 1, 423: 5 });
    const md5 = createHash("md5").update(content).digest("hex");
    expect(await keys()).toEqual([...before, ...keysOfPost({ md5 })].sort());
    expect((await read(originalKey({ md5, fileExt: "jpg" }))).equals(content)).toBe(true);
  });

  it("stores files again that were removed before the transaction that names them", async () => {
    const { ingest, transact, storage, database: tables } = test.board;
    const before = await keys();
    const content = await picture();
    const media = await ingest.prepare(await ingest.spool(Readable.from([content])), null);
    expect(await keys()).toEqual([...before, ...media.stored].sort());
    for (const key of media.stored) await storage.remove(key); // as `storage verify` does with what no row names
    const { id, md5 } = await transact((db) => ingest.store(db, media));
    await ingest.discard(media);
    expect(await keys()).toEqual([...before, ...keysOfPost({ md5 })].sort());
    expect((await read(originalKey({ md5, fileExt: "jpg" }))).equals(content)).toBe(true);
    await tables.mediaFile.delete({ where: { id } });
    await ingest.removeUnnamed(md5, keysOfPost({ md5 }));
    expect(await keys()).toEqual(before);
  });

  it("keeps a post's earlier files, and removes all of them when it is expunged", async () => {
    const before = await keys();
    const post = await make();
    const next = await picture();
    site.pages.set("/next.jpg", serving(next, "image/jpeg"));
    const md5 = createHash("md5").update(next).digest("hex");
    const replaced = await owner.client.put(`/posts/${post.id}.json`, { post: { source: `${site.url}/next.jpg` } });
    expect([replaced.status, replaced.json.md5]).toEqual([200, md5]);
    expect(await keys()).toEqual([...before, ...keysOfPost(post), ...keysOfPost({ md5 })].sort());
    const expunge = `mutation { expungePost(input: { id: ${post.id} }) { postId } }`;
    expect((await owner.client.graphql(expunge)).json.data).toEqual({ expungePost: { postId: post.id } });
    expect(await keys()).toEqual(before);
  });

  it("makes thumbnails again", async () => {
    const post = await make();
    const derived = [previewKey(post), thumbnailKey(post, 360), thumbnailKey(post, 720), sampleKey(post)];
    const contents = () => Promise.all(derived.map(read));
    const before = await contents();
    for (const key of derived) await put(key, "old");
    expect(await test.board.thumbnails.regenerate({ from: post.id, to: post.id })).toEqual({
      posts: 1,
      failed: 0,
      failedIds: [],
    });
    expect(await contents()).toEqual(before);
    expect(await localFiles()).toEqual([]);
  });

  it("makes thumbnails of older files", async () => {
    const { database: tables, storage, thumbnails } = test.board;
    const post = await make();
    const before = await keys();
    await tables.mediaFile.update({ where: { md5: post.md5 }, data: { placeholder: null } });
    for (const size of [360, 720] as const) await storage.remove(thumbnailKey(post, size));
    await thumbnails.backfill(new AbortController().signal);
    expect([await keys(), await localFiles()]).toEqual([before, []]);
  });

  it("is audited: orphans are removed, missing previews made, missing originals reported", async () => {
    const post = await make();
    const { database: tables, transact, decoder, storage } = test.board;
    const storageAudit = new StorageAudit({ database: tables, transact, decoder, storage }, 0);
    const stray = previewKey({ md5: "0123456789abcdef0123456789abcdef" });
    await put(stray, "left behind");
    await storage.remove(previewKey(post));
    const before = await keys();
    const dry = await storageAudit.run(false);
    expect(dry).toMatchObject({ orphans: [stray], missingDerived: [previewKey(post)], repaired: 0, ok: false });
    expect(await keys()).toEqual(before);
    expect(await storageAudit.run(true)).toMatchObject({ repaired: 2, ok: true });
    const mediaFiles = await test.board.database.mediaFile.count();
    expect(await storageAudit.run(true)).toEqual({ mediaFiles, storedFiles: (await keys()).length, ...CLEAN });
    const original = originalKey({ md5: post.md5, fileExt: "jpg" });
    const content = await read(original);
    await put(original, "truncated");
    expect(await storageAudit.run(true)).toMatchObject({ missingOriginals: [original], ok: false });
    await put(original, content);
    expect((await storageAudit.run(false)).ok).toBe(true);
  });

  it.each<StorageKind>(["s3", "disk"])("is backed up, and restored into a board over %s", async (kind) => {
    const file = folder.at(`${kind}.tar`);
    const { databaseUrl, storage } = test.board;
    const report = await writeBackup({ databaseUrl, storage, secret: null, file });
    const all = await keys();
    expect([report.files, report.missing]).toEqual([all.length, 0]);
    const target = await createDatabase();
    const bucket = await store.bucket();
    const config = loadConfig({ ...bucket, DATA_DIR: folder.at(`restored-${kind}`) });
    await using restored = await openStorage(config, undefined, kind);
    const restore = { storage: restored, file, log: createLog("silent"), saveSecret: () => Promise.resolve() };
    expect(await restoreBackup({ databaseUrl: target.url, ...restore })).toMatchObject({ files: all.length });
    const copies: string[] = [];
    for await (const { key } of restored.list()) {
      copies.push(key);
      expect((await buffer(restored.open(key))).equals(await read(key))).toBe(true);
    }
    expect(copies.sort()).toEqual(all);
    expect(await keys(bucket.S3_BUCKET)).toEqual(kind === "s3" ? all : []);
    // a board with files is none to restore into; they stay
    await expect(restoreBackup({ databaseUrl: target.url, ...restore })).rejects.toThrow("not empty");
    for await (const { key } of restored.list()) expect(all).toContain(key);
    expect(await restored.stat(all[0] ?? "")).not.toBeNull();
    await target.drop();
  });

  it("leaves no object of an interrupted backup", async () => {
    const file = folder.at("cut.tar");
    const { databaseUrl, storage } = test.board;
    await writeBackup({ databaseUrl, storage, secret: null, file });
    await truncate(file, Math.floor((await stat(file)).size * 0.9)); // within the last file
    const target = await createDatabase();
    const bucket = await store.bucket();
    const config = loadConfig({ ...bucket, DATA_DIR: folder.at("cut") });
    await using restored = await openStorage(config);
    const restore = { storage: restored, file, log: createLog("silent"), saveSecret: () => Promise.resolve() };
    await expect(restoreBackup({ databaseUrl: target.url, ...restore })).rejects.toThrow("truncated");
    expect(await keys(bucket.S3_BUCKET)).toEqual([]);
    await target.drop();
  });

  describe("with S3_PUBLIC_URL", () => {
    let open: TestBoard;
    let base: string;
    beforeAll(async () => {
      const bucket = await store.bucket();
      base = `${store.endpoint}/${bucket.S3_BUCKET}`;
      // what docs/storage.md asks for: anybody may read a file whose name is known, nobody may list them
      const statement = { Effect: "Allow", Principal: "*", Action: ["s3:GetObject"] };
      const policy = {
        Version: "2012-10-17",
        Statement: [{ ...statement, Resource: [`arn:aws:s3:::${bucket.S3_BUCKET}/*`] }],
      };
      await client.send(new PutBucketPolicyCommand({ Bucket: bucket.S3_BUCKET, Policy: JSON.stringify(policy) }));
      open = await startBoard({ ...bucket, S3_PUBLIC_URL: base });
    });
    afterAll(() => open[Symbol.asyncDispose]());

    it("returns URLs of the bucket in REST and GraphQL, which serve the files to anybody", async () => {
      const content = await picture();
      const { id, md5 } = await open.make.post("tree", { file: asFile(content) });
      const [original, preview, sample] = [
        originalKey({ md5, fileExt: "jpg" }),
        previewKey({ md5 }),
        sampleKey({ md5 }),
      ];
      const { json } = await open.anonymous.get(`/posts/${id}.json`);
      const urls = [json.file_url, json.large_file_url, json.preview_file_url];
      expect(urls).toEqual([`${base}/${original}`, `${base}/${sample}`, `${base}/${preview}`]);
      const listed = (await open.anonymous.get("/posts.json")).json as unknown as { file_url: string }[];
      expect(listed[0]?.file_url).toBe(urls[0]);
      const document = `{ post(id: ${id}) { fileUrl mediaFile { variants { url } } } }`;
      const { post } = (await open.anonymous.graphql(document)).json.data as {
        post: { fileUrl: string; mediaFile: { variants: { url: string }[] } };
      };
      expect([post.fileUrl, ...post.mediaFile.variants.map(({ url }) => url).sort()]).toEqual([
        `${base}/${original}`,
        ...[original, preview, sample].map((key) => `${base}/${key}`).sort(),
      ]);
      const served = await fetch(urls[0] as string);
      expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
      expect(Buffer.from(await served.arrayBuffer()).equals(content)).toBe(true);
    });

    it("lets only the board list the files", async () => {
      expect((await fetch(`${base}/`)).status).toBe(403);
      expect((await fetch(`${base}/${previewKey({ md5: "0".repeat(32) })}`)).status).toBe(403);
    });

    it("serves the files at /data too", async () => {
      const { md5 } = await open.make.post();
      expect((await fetch(`${open.url}/data/${previewKey({ md5 })}`)).status).toBe(200);
    });
  });

  it("works with two processes, and with the `board` command", { timeout: 180_000 }, async () => {
    const [bucket, shared] = [await store.bucket(), await createDatabase()];
    const common = { ...bucket, DATABASE_URL: shared.url, SECRET: "s".repeat(40) };
    await using _ = { [Symbol.asyncDispose]: () => shared.drop() };
    await using one = await OwnServer.start(common);
    await using two = await OwnServer.start(common);
    const user = await one.board<{ api_key: string }>("user", "create", "mira", "a password", "contributor");
    const mira = one.anonymous.as({ name: "mira", apiKey: user.api_key });
    const upload = { file: asFile(await picture()), rating: "s", tag_string: "tree" };
    const { json } = await mira.post("/uploads.json", { upload });
    const shown = await two.anonymous.get(`/posts/${String(json.post_id)}.json`);
    expect((await fetch(shown.json.file_url as string)).status).toBe(200);
    expect(await two.board("verify")).toEqual({
      ok: true,
      faults: [],
      storage: { mediaFiles: 1, storedFiles: 5, ...CLEAN },
    });
    const copied = { copied: 5, present: 0, refused: [] };
    expect(await two.board("storage", "copy", "--from", "s3", "--to", "disk")).toEqual(copied);
    expect(await two.board("backup", folder.at("served.tar"))).toMatchObject({ files: 5, missing: 0 });
  });
});
