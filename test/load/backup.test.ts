/** `board backup` and `board restore`: the same rows and bytes, even if the board was written to meanwhile. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { readFile, stat, truncate, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackupOptions, writeBackup } from "../../src/operations/backup/backup.js";
import { tasks } from "../../src/operations/tasks.js";
import { StorageAudit } from "../../src/operations/storage-audit.js";
import { PostingMaker } from "../../src/search/postings/maker.js";
import { DiskStorage } from "../../src/storage/disk.js";
import { StorageUnavailableError } from "../../src/storage/storage.js";
import { verifyRows } from "../../src/operations/verify/verify.js";
import { filesIn, jobsOf, query, rowsOf, rulesOf, sequencesOf, Target } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { connect } from "../support/database.js";
import { Folder } from "../support/folder.js";
import { type FullBoard, fillBoard } from "../support/full-board.js";
import { holdTable } from "../support/held-table.js";
import { filesOf } from "../support/traces.js";

let test: TestBoard;
let full: FullBoard;
let folder: Folder;
beforeAll(async () => {
  test = await startBoard();
  full = await fillBoard(test);
  folder = await Folder.make();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

let serial = 0;
const backupOf = async (options: Partial<BackupOptions> = {}) => {
  const file = folder.at(`board-${(serial += 1)}.tar`);
  const { databaseUrl, storage } = test.board;
  return { file, report: await writeBackup({ databaseUrl, storage, secret: null, file, ...options }) };
};

describe("a board at rest", () => {
  it("is restored with every row, sequence, job, constraint and file", async () => {
    await using target = await Target.make(folder);
    const { databaseUrl: url, config } = test.board;
    const { file, report } = await backupOf({ secret: "s3cret" });
    const restored = await target.restore(file);
    const before = await rowsOf(url);
    expect(Object.values(before).flat().length).toBeGreaterThan(70);
    expect(await rowsOf(target.url)).toEqual(before);
    expect(await filesIn(target.mediaDir)).toEqual(await filesIn(config.mediaDir));
    expect(await sequencesOf(target.url)).toEqual(await sequencesOf(url));
    const jobs = await jobsOf(url);
    expect(jobs.length).toBeGreaterThan(0);
    expect(await jobsOf(target.url)).toEqual(jobs);
    expect(await rulesOf(target.url)).toEqual(await rulesOf(url));
    expect(target.secret).toBe("s3cret");
    const files = (await filesOf(test)).length;
    const tables = Object.keys(before).length;
    expect(report).toEqual({
      bytes: (await stat(file)).size,
      tables,
      files,
      missing: 0,
      missingKeys: [],
      damagedKeys: [],
    });
    expect(restored).toEqual({ takenAt: expect.stringMatching(/Z$/), tables, files, migrated: [] });
  });

  it("is restored from a pipe, as of a program that decrypts it", async () => {
    await using target = await Target.make(folder);
    const { file } = await backupOf();
    const pipe = folder.at("pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    const [restored] = await Promise.all([
      target.restore(pipe),
      pipeline(createReadStream(file), createWriteStream(pipe)),
    ]);
    expect(restored).toMatchObject({ files: (await filesOf(test)).length });
    expect(await rowsOf(target.url)).toEqual(await rowsOf(test.board.databaseUrl));
  });

  it("leaves posting lists to the job that makes them", async () => {
    await using target = await Target.make(folder);
    await test.board.postings.maintain(undefined, { least: 1, common: 0.4 });
    const lists = "SELECT tag_id, kind, state FROM posting_lists ORDER BY 1, 2";
    const before = await query(test.board.databaseUrl, lists);
    expect(before.length).toBeGreaterThan(2);
    await target.restore((await backupOf()).file);
    expect(await query(target.url, lists)).toEqual([]);
    await using connection = await connect(target.url);
    await new PostingMaker(connection.transact).maintain(undefined, { least: 1, common: 0.4 });
    expect(await query(target.url, lists)).toEqual(before);
    expect(await verifyRows(target.url)).toEqual([]);
  });

  it("never reuses ids after the restore, not even those of removed rows", async () => {
    await using target = await Target.make(folder);
    const { file } = await backupOf();
    await target.restore(file);
    const next = (url: string) => query(url, "SELECT nextval('posts_id_seq') AS next, max(id) AS last FROM posts");
    const [there] = await next(target.url);
    expect(Number(there?.next)).toBeGreaterThan(Number(there?.last) + 1); // the last post was expunged
    expect(await next(test.board.databaseUrl)).toEqual([there]);
  });

  it("is in a file readable only by its owner, which replaces the previous one when complete", async () => {
    const { file } = await backupOf();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = await readFile(file);
    const storage = new DiskStorage(test.board.config.mediaDir);
    storage.stat = () => Promise.reject(new Error("the disk is gone"));
    await expect(writeBackup({ databaseUrl: test.board.databaseUrl, storage, secret: null, file })).rejects.toThrow(
      "the disk is gone",
    );
    expect((await readFile(file)).equals(before)).toBe(true);
    await expect(stat(`${file}.part`)).rejects.toThrow("ENOENT");
  });

  it("is not backed up when Ctrl-C ends the command: nothing is left", async () => {
    const file = folder.at("interrupted.tar");
    await using artists = await holdTable(test.board.databaseUrl, "artists");
    const env = { ...process.env, DATABASE_URL: test.board.databaseUrl, DATA_DIR: test.board.config.dataDir };
    const child = spawn("node", ["dist/src/cli.js", "backup", file], { env });
    const ended = once(child, "close");
    await expect.poll(() => artists.waiting(), { timeout: 20_000 }).toBe(1);
    expect(existsSync(`${file}.part`)).toBe(true);
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(130);
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  });

  it("is backed up without missing files, which are reported", async () => {
    const [first = ""] = await filesOf(test);
    const storage = new DiskStorage(test.board.config.mediaDir);
    const real = storage.stat.bind(storage);
    storage.stat = (key) => (key === first ? Promise.resolve(null) : real(key));
    const { file, report } = await backupOf({ storage });
    await using target = await Target.make(folder);
    await target.restore(file);
    const expected = { ...(await filesIn(test.board.config.mediaDir)) };
    delete expected[first];
    expect([report.missingKeys, await filesIn(target.mediaDir)]).toEqual([[first], expected]);
  });

  it("is backed up with originals whose content is not that of their md5, which are reported", async () => {
    const damaged = (await filesOf(test)).find((key) => key.startsWith("original/")) ?? "";
    const storage = new DiskStorage(test.board.config.mediaDir);
    const { size } = (await storage.stat(damaged)) as { size: number };
    const real = storage.open.bind(storage);
    storage.open = (key) => (key === damaged ? Readable.from([Buffer.alloc(size)]) : real(key));
    expect((await backupOf({ storage })).report).toMatchObject({ missingKeys: [], damagedKeys: [damaged] });
  });

  it("is backed up with zeros for what the disk can't read, which is reported", async () => {
    const files = await filesOf(test);
    const [original = "", preview = ""] = ["original/", "preview/"].map((kind) =>
      files.find((key) => key.startsWith(kind)),
    );
    const storage = new DiskStorage(test.board.config.mediaDir);
    const { size } = (await storage.stat(original)) as { size: number };
    const real = storage.open.bind(storage);
    storage.open = (key) => {
      const stream = key === original || key === preview ? new Readable({ read: () => undefined }) : real(key);
      if (key === original) stream.push("begins");
      if (key === original || key === preview)
        setImmediate(() => stream.destroy(Object.assign(new Error(), { code: "EIO" })));
      return stream;
    };
    const { file, report } = await backupOf({ storage });
    expect([report.missingKeys, report.damagedKeys.toSorted()]).toEqual([[], [original, preview]]);
    await using target = await Target.make(folder);
    await target.restore(file);
    const restored = await readFile(`${target.mediaDir}/${original}`);
    expect([restored.length, restored.toString("latin1", 0, 7)]).toEqual([size, "begins\0"]);
  });

  it.each(["original/", "preview/"])("is not backed up if the store of its files fails meanwhile: %s", async (kind) => {
    const storage = new DiskStorage(test.board.config.mediaDir);
    const real = storage.open.bind(storage);
    storage.open = (key) => {
      if (!key.startsWith(kind)) return real(key);
      const stream = new Readable({ read: () => undefined });
      setImmediate(() => stream.destroy(new StorageUnavailableError("no response")));
      return stream;
    };
    await expect(backupOf({ storage })).rejects.toThrow("no response");
    expect(existsSync(folder.at(`board-${serial}.tar`))).toBe(false);
  });

  it("is not backed up without any of its files, as from a folder that is not the board's: the older backup stays", async () => {
    const { file } = await backupOf();
    const before = await readFile(file);
    const storage = new DiskStorage(folder.at("another"));
    const { databaseUrl } = test.board;
    await expect(writeBackup({ databaseUrl, storage, secret: null, file })).rejects.toThrow(
      /^None of the board's \d+ files is in the storage; nothing was written\. Check DATA_DIR, STORAGE and ENV_FILE\.$/,
    );
    expect((await readFile(file)).equals(before)).toBe(true);
  });
});

describe("a board under writes", () => {
  it("is restored as it was when the backup started, including files removed meanwhile", async () => {
    const { owner } = full;
    const { id, md5 } = await test.make.post("doomed ship", {}, owner);
    const key = `original/${md5.slice(0, 2)}/${md5.slice(2, 4)}/${md5}.jpg`;
    const storage = new DiskStorage(test.board.config.mediaDir);
    const before = { rows: await rowsOf(test.board.databaseUrl), files: await filesIn(test.board.config.mediaDir) };
    const real = storage.stat.bind(storage);
    let isWritten = false;
    // between the rows and the first file
    storage.stat = async (next) => {
      if (!isWritten) await write();
      isWritten = true;
      return real(next);
    };
    const write = async () => {
      const answer = await owner.client.graphql(`mutation { expungePost(input: { id: ${id} }) { postId } }`);
      expect(answer.json.errors).toBeUndefined();
      await test.make.post("late ship", {}, owner);
      // leaves what it would remove at other times
      expect(await test.board.storageAudit.run(true)).toMatchObject({
        orphans: [key, expect.any(String)],
        repaired: 0,
      });
    };
    const { file, report } = await backupOf({ storage });
    await using target = await Target.make(folder);
    await target.restore(file);
    expect([report.missing, Object.keys(before.files).includes(key)]).toEqual([0, true]);
    expect(await rowsOf(target.url)).toEqual(before.rows);
    expect(await filesIn(target.mediaDir)).toEqual(before.files);

    // what was to go meanwhile goes afterwards
    const jobs = await query<{ payload: object }>(
      test.board.databaseUrl,
      `SELECT payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        WHERE identifier = 'remove_files'`,
    );
    expect(await filesOf(test)).toContain(key);
    const info = { attempts: 1, maxAttempts: 1, stopping: new AbortController().signal };
    for (const { payload } of jobs) await tasks(test.board).remove_files?.(payload, info);
    expect(await filesOf(test)).not.toContain(key);
  });

  it("can be migrated while files are copied: neither a lock nor the snapshot is held until the last one is", async () => {
    const { databaseUrl: url, config } = test.board;
    const storage = new DiskStorage(config.mediaDir);
    const real = storage.stat.bind(storage);
    let held: unknown;
    storage.stat = async (key) => {
      held ??= await query(
        url,
        `SELECT DISTINCT backend_xmin, mode, relation::regclass FROM pg_stat_activity a LEFT JOIN pg_locks l ON l.pid = a.pid AND relation IS NOT NULL
          WHERE application_name = 'graphbooru backup' AND datname = current_database()`,
      );
      return real(key);
    };
    await backupOf({ storage });
    expect(held).toEqual([{ backend_xmin: null, mode: null, relation: null }]);
  });

  it("is always consistent during uploads, edits, votes and expunging", async () => {
    const { owner, member } = full;
    const stopping = new AbortController();
    let writes = 0;
    const writer = async (number: number) => {
      for (let round = 0; !stopping.signal.aborted; round += 1) {
        const { id } = await test.make.post(`busy_${number} turn_${round % 3}`, {}, owner);
        await owner.client.put(`/posts/${id}.json`, {
          post: { tag_string: `busy_${number} calm`, parent_id: full.parent },
        });
        await member.client.post("/favorites.json", { post_id: id });
        await member.client.post("/comments.json", { comment: { post_id: id, body: "!" } });
        if (round % 2) await owner.client.graphql(`mutation { expungePost(input: { id: ${id} }) { postId } }`);
        writes += 1;
      }
    };
    const writers = [1, 2, 3].map(writer);
    const backups: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const seen = writes;
      await expect.poll(() => writes).toBeGreaterThan(seen + 2);
      backups.push((await backupOf()).file);
    }
    stopping.abort();
    await Promise.all(writers);
    for (const file of backups) {
      await using target = await Target.make(folder);
      await target.restore(file);
      expect(await verifyRows(target.url)).toEqual([]);
      const restored = await startBoard({ DATABASE_URL: target.url });
      const { database, transact, decoder } = restored.board;
      const audit = await new StorageAudit({
        database,
        decoder,
        storage: target.storage,
        transact,
      }).run(false);
      await restored[Symbol.asyncDispose]();
      expect(audit).toMatchObject({ orphans: [], missingDerived: [], missingOriginals: [], ok: true });
    }
  }, 120_000);
});

describe("a damaged backup", () => {
  let whole: string;
  let bytes: Buffer;
  beforeAll(async () => {
    whole = (await backupOf()).file;
    bytes = await readFile(whole);
  });

  it.each([0.01, 0.2, 0.5, 0.9, 0.9999])("truncated after %f of it: refused, and nothing restored", async (part) => {
    await using target = await Target.make(folder);
    const file = await folder.write("cut.tar", bytes);
    await truncate(file, Math.floor(bytes.length * part));
    await expect(target.restore(file)).rejects.toThrow("The backup is truncated; nothing was restored.");
    expect(await target.contents()).toEqual([]);
  });

  it.each([0, 0.01, 0.05, 0.2, 0.5, 0.9, 0.9999])("one bit changed after %f of it: the same", async (part) => {
    await using target = await Target.make(folder);
    const changed = Buffer.from(bytes);
    const at = Math.floor(bytes.length * part);
    changed[at] = (changed[at] ?? 0) ^ 4;
    await expect(target.restore(await folder.write("changed.tar", changed))).rejects.toThrow(
      /^The (file is damaged|backup is truncated)/,
    );
    expect(await target.contents()).toEqual([]);
  });

  it("leaves the target usable", async () => {
    await using target = await Target.make(folder);
    const file = await folder.write("half.tar", bytes.subarray(0, bytes.length / 2));
    await expect(target.restore(file)).rejects.toThrow("truncated");
    await target.restore(whole);
    expect(await rowsOf(target.url)).toEqual(await rowsOf(test.board.databaseUrl));
    expect(await rulesOf(target.url)).toEqual(await rulesOf(test.board.databaseUrl));
  });

  it("a file that is not a backup: refused", async () => {
    await using target = await Target.make(folder);
    for (const content of ["", "x".repeat(100), "x".repeat(5_000), Buffer.alloc(5_000, 0x9c)]) {
      await writeFile(folder.at("text.tar"), content);
      await expect(target.restore(folder.at("text.tar"))).rejects.toThrow("damaged or not a backup");
    }
  });
});
