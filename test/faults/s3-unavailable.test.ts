/** The S3 store is disconnected, or stops responding: requests that need files get 503 quickly and leave nothing behind. */
import { randomBytes } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import { ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tasks } from "../../src/operations/tasks.js";
import { originalKey } from "../../src/storage/keys.js";
import { StorageUnavailableError } from "../../src/storage/storage.js";
import { query } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { CutProxy } from "../support/cut-proxy.js";
import { times } from "../support/processes.js";
import { noS3, TestS3 } from "../support/s3.js";
import { serving, type Site, startSite } from "../support/site.js";
import { tracesOf, uploadsOf } from "../support/traces.js";

const REASON = "the file storage does not respond; try again later";
const PATIENCE = 1_000;

describe.skipIf(noS3)(`${noS3 ? `${noS3}: ` : ""}a board whose store is unavailable`, () => {
  let store: TestS3;
  let client: S3Client;
  let proxy: CutProxy;
  let settings: Record<string, string>;
  let database: TestDatabase;
  let site: Site;
  let test: TestBoard;
  let admin: TestUser;
  let post: TestPost;
  beforeAll(async () => {
    store = await TestS3.start();
    client = store.client();
    proxy = await CutProxy.open(store.endpoint);
    site = await startSite();
    database = await createDatabase();
    settings = {
      ...(await store.bucket(proxy.url.replace(/\/$/, ""))),
      S3_TIMEOUT_MS: String(PATIENCE),
      DATABASE_URL: database.url,
      SOURCE_ALLOW_HOSTS: site.host,
      MAX_REQUESTS: "32",
    };
    test = await startBoard(settings);
    admin = await test.make.user("Admin");
    post = await test.make.post("tree", {}, admin);
  });
  afterAll(async () => {
    await test[Symbol.asyncDispose]();
    await database.drop();
    await site[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    client.destroy();
    await store[Symbol.asyncDispose]();
  });

  const WAYS: [string, { fail: () => Promise<void> | void; recover: () => Promise<void> | void }][] = [
    ["is cut off", { fail: () => proxy.cut(), recover: () => proxy.open() }],
    ["is silent", { fail: () => proxy.silence(true), recover: () => proxy.silence(false) }],
  ];

  async function keys(): Promise<string[]> {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: settings.S3_BUCKET }));
    return Contents.map(({ Key = "" }) => Key);
  }

  /** Has the jobs that wait for their time done now, however often. */
  async function workOff(): Promise<number> {
    const jobs = await query<{ payload: object }>(
      database.url,
      `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
        WHERE t.id = j.task_id AND identifier = 'remove_files' RETURNING payload`,
    );
    const job = { attempts: 1, maxAttempts: 25, stopping: new AbortController().signal };
    for (const { payload } of jobs) await tasks(test.board).remove_files?.(payload, job);
    return jobs.length;
  }

  const fileUrl = (): string => `${test.url}/data/${originalKey({ md5: post.md5, fileExt: "jpg" })}`;
  const uploadSource = async () => {
    site.pages.set("/picture.jpg", serving(Buffer.from(await (await test.make.picture()).arrayBuffer()), "image/jpeg"));
    return `${site.url}/picture.jpg`;
  };
  const replaceFile = async () =>
    admin.client.put(`/posts/${post.id}.json`, { post: { source: await uploadSource(), tag_string: "other" } });
  /** What puts files: a file, a source, another file for a post. */
  const ASKED: [string, () => Promise<Answer>][] = [
    ["a file", () => test.make.upload(admin)],
    ["a source", async () => test.make.upload(admin, { file: undefined, source: await uploadSource() })],
    ["a post's new file", replaceFile],
  ];

  describe.each(WAYS)("that %s", (_, { fail, recover }) => {
    it.each(ASKED)("refuses %s with 503 in time and leaves nothing behind", async (__, ask) => {
      const before = [await tracesOf(test), await uploadsOf(test, admin.id), await keys()];
      await fail();
      const began = performance.now();
      const answer = await ask();
      expect(performance.now() - began).toBeLessThan(PATIENCE * 5);
      expect([answer.status, answer.json.reason]).toEqual([503, REASON]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      await recover();
      await workOff();
      expect([await tracesOf(test), await uploadsOf(test, admin.id), await keys()]).toEqual(before);
    });

    it("says each minute in the log that files could not be removed yet", async () => {
      const said = () => test.log.filter(({ msg }) => String(msg).startsWith("files could not be removed")).length;
      await fail();
      expect((await test.make.upload(admin)).status).toBe(503);
      for (const attempt of [1, 2]) {
        const before = said();
        expect([attempt, await workOff(), said() - before]).toEqual([attempt, 1, 1]);
      }
      await recover();
      expect([await workOff(), await workOff()]).toEqual([1, 0]);
    });

    it("refuses files with an uncacheable 503, and serves them again when it is back", async () => {
      await fail();
      const refused = await fetch(fileUrl());
      const { headers } = refused;
      expect([refused.status, ((await refused.json()) as { reason: string }).reason]).toEqual([503, REASON]);
      const values = ["content-type", "cache-control", "last-modified", "accept-ranges"].map((name) =>
        headers.get(name),
      );
      expect(values).toEqual(["application/json; charset=utf-8", null, null, null]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      await recover();
      expect((await fetch(fileUrl())).status).toBe(200);
    });

    it("serves everything else meanwhile, however many requests wait for files or upload them", async () => {
      await fail();
      const waiting = times(30, () => fetch(fileUrl()));
      const putting = times(12, () => test.make.upload(admin));
      const began = performance.now();
      const { client: member } = admin;
      expect((await test.anonymous.get("/posts.json")).status).toBe(200);
      expect((await member.put(`/posts/${post.id}.json`, { post: { tag_string: "tree" } })).status).toBe(200);
      expect((await member.post("/comments.json", { comment: { post_id: post.id, body: "words" } })).status).toBe(200);
      expect((await test.anonymous.get("/readyz")).status).toBe(200);
      expect(performance.now() - began).toBeLessThan(PATIENCE * 5);
      const answers = [...(await waiting), ...(await putting)];
      expect(answers.filter(({ status }) => status !== 503)).toEqual([]);
      await recover();
      await workOff();
      expect((await test.make.upload(admin)).status).toBe(200);
    });

    it("expunges a post, and removes its files when it is back", async () => {
      const before = await keys();
      const { id } = await test.make.post("tree", {}, admin);
      await fail();
      const answer = await admin.client.graphql(`mutation { expungePost(input: { id: ${id} }) { postId } }`);
      expect(answer.json.data).toEqual({ expungePost: { postId: id } });
      await workOff(); // in vain, for now
      await recover();
      expect(await workOff()).toBe(1);
      expect(await keys()).toEqual(before);
    });

    it("is not audited, and no file is reported as missing", async () => {
      const before = [await tracesOf(test), await keys()];
      await fail();
      await expect(test.board.storageAudit.run(true)).rejects.toThrow(StorageUnavailableError);
      await recover();
      expect([await tracesOf(test), await keys()]).toEqual(before);
      expect((await test.board.storageAudit.run(false)).ok).toBe(true);
    });

    it("starts and serves posts", async () => {
      await fail();
      await using other = await startBoard(settings);
      expect((await other.anonymous.get("/posts.json")).status).toBe(200);
      await recover();
    });
  });

  describe("a large file", () => {
    let url: string;
    let content: Buffer;
    beforeAll(async () => {
      const raw = { width: 2500, height: 2000, channels: 3 } as const;
      content = await sharp(randomBytes(2500 * 2000 * 3), { raw })
        .png({ compressionLevel: 0 })
        .toBuffer();
      const { id } = await test.make.post("tree", { file: new Blob([new Uint8Array(content)]) }, admin);
      url = (await test.anonymous.get(`/posts/${id}.json`)).json.file_url as string;
    });

    const begin = (): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => void get(url, resolve).once("error", reject));

    it("is sent to a client that pauses for longer than the store may", async () => {
      const response = await begin();
      let size = 0;
      for await (const chunk of response) {
        if (size === 0) await new Promise((resolve) => setTimeout(resolve, PATIENCE * 1.5)); // the reader's own pace
        size += (chunk as Buffer).length;
      }
      expect(size).toBe(content.length);
    });

    it("is aborted when the store stops responding in the middle", async () => {
      const response = await begin();
      const read = async () => {
        let size = 0;
        for await (const chunk of response) {
          if (size === 0) proxy.silence(true);
          size += (chunk as Buffer).length;
        }
      };
      await expect(read()).rejects.toThrow("aborted");
      proxy.silence(false);
      expect((await fetch(fileUrl())).status).toBe(200);
    });
  });
});
