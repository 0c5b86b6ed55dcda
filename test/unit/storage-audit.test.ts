import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PROBLEMS } from "../../src/errors.js";
import { StorageAudit } from "../../src/operations/storage-audit.js";
import { queueRemoval } from "../../src/resources/uploads/media-ingest.js";
import { DiskStorage } from "../../src/storage/disk.js";
import type { Storage } from "../../src/storage/storage.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { holdRow } from "../support/held-table.js";
import { jpeg } from "../support/pictures.js";
import { filesOf } from "../support/traces.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const at = (key: string): string => path.join(test.board.config.mediaDir, key);
const keysOf = ({ md5 }: { md5: string }) => {
  const folder = `${md5.slice(0, 2)}/${md5.slice(2, 4)}`;
  return {
    original: `original/${folder}/${md5}.jpg`,
    preview: `preview/${folder}/${md5}.jpg`,
    small: `360x360/${folder}/${md5}.webp`,
    large: `720x720/${folder}/${md5}.webp`,
    sample: `sample/${folder}/sample-${md5}.jpg`,
  };
};

const md5Of = ({ original }: { original: string }): string => path.basename(original, ".jpg");

/** Puts a file into the storage that no row names. */
async function orphan(key: string): Promise<string> {
  const file = await test.board.storage.temporary.create();
  await writeFile(file.path, "left behind");
  await test.board.storage.put(file.path, key);
  return key;
}

const clean = (posts: number, files: number) => ({
  mediaFiles: posts,
  storedFiles: files,
  orphans: [],
  missingDerived: [],
  missingOriginals: [],
  unreadable: [],
  temporarySwept: 0,
  repaired: 0,
  ok: true,
});

describe("StorageAudit", () => {
  /** of a post with a sample */
  let keys: ReturnType<typeof keysOf>;
  let posts: number;
  let files: string[];
  let serial = 8000;
  beforeEach(async () => {
    const file = await jpeg({ width: 900, height: 90, seed: (serial += 1) });
    keys = keysOf(await test.make.post("tree", { file: new Blob([new Uint8Array(file)]) }));
    posts = await test.board.database.mediaFile.count();
    files = await filesOf(test);
  });

  const run = (repair = true) => test.board.storageAudit.run(repair);

  it("finds nothing wrong on an empty board", async () => {
    expect(await run()).toEqual(clean(posts, files.length));
  });

  it("removes originals, thumbnails and samples without a row", async () => {
    const stray = keysOf({ md5: "0123456789abcdef0123456789abcdef" });
    const orphans = await Promise.all(Object.values(stray).map(orphan));
    // of a post's own file, in a format that it has not
    orphans.push(await orphan(keys.original.replace(".jpg", ".png")));
    const report = await run();
    expect(report).toMatchObject({ repaired: 6, ok: true, missingDerived: [], missingOriginals: [] });
    expect(report.orphans.sort()).toEqual(orphans.sort());
    expect(await filesOf(test)).toEqual(files);
  });

  it("changes nothing if most files have no row, as with the database of another board, unless requested", async () => {
    const md5s = Array.from({ length: 3 + 2 * posts }, (_, index) => String(index).padStart(32, "0"));
    const orphans = await Promise.all(md5s.flatMap((md5) => Object.values(keysOf({ md5 })).map(orphan)));
    const all = await filesOf(test);
    const sentence = `${orphans.length} of ${all.length} stored files have no row in the database; nothing was removed.`;
    await rm(at(keys.preview));
    await expect(run()).rejects.toThrow(sentence.replace(String(all.length), String(all.length - 1)));
    await expect(stat(at(keys.preview))).rejects.toThrow("ENOENT");
    expect(await run(false)).toMatchObject({ storedFiles: all.length - 1, repaired: 0, ok: false });
    const report = await test.board.storageAudit.run(true, true);
    expect(report).toMatchObject({ repaired: orphans.length + 1, ok: true });
    expect(await filesOf(test)).toEqual(files);
  });

  it("removes up to twenty files without a row even if they are most, as those of an interrupted first upload", async () => {
    const { database, transact, decoder, config } = test.board;
    const storage = new DiskStorage(path.join(config.dataDir, "most"));
    const temporary = await storage.temporary.create();
    await writeFile(temporary.path, "left behind");
    await storage.put(temporary.path, keys.original.replace(".jpg", ".png"));
    const report = await new StorageAudit({ database, transact, decoder, storage }).run(true);
    expect(report).toMatchObject({ storedFiles: 1, repaired: 1 });
    await storage[Symbol.asyncDispose]();
  });

  it("doesn't report the files of an upload that is not committed yet", async () => {
    const user = await test.make.user("Contributor");
    await using held = await holdRow(test.board.databaseUrl, "users", user.id);
    const uploaded = test.make.upload(user);
    await expect.poll(() => held.waiting()).toBe(1);
    const report = run(false);
    await expect.poll(() => held.waiting()).toBe(2);
    await held[Symbol.asyncDispose]();
    expect((await uploaded).status).toBe(200);
    expect(await report).toMatchObject({ orphans: [], ok: true });
  });

  it("reports foreign files, and leaves them", async () => {
    const stray = await orphan("original/notes.txt");
    expect(await run()).toMatchObject({ orphans: [stray], repaired: 0, ok: false });
    expect(await filesOf(test)).toContain(stray);
    await rm(at(stray));
  });

  it("makes missing and empty thumbnails and samples again", async () => {
    const { original: _, ...derived } = keys;
    const sizes = () => Promise.all(Object.values(derived).map(async (key) => (await stat(at(key))).size));
    const before = await sizes();
    await Promise.all(Object.values(derived).map((key) => rm(at(key))));
    await writeFile(at(keys.preview), "");
    const report = await run();
    expect(report).toMatchObject({ missingDerived: Object.values(derived), repaired: 4, ok: true });
    expect(await sizes()).toEqual(before);
    expect(await filesOf(test)).toEqual(files);
  });

  it("says of which originals it can't, and why", async () => {
    const content = await readFile(at(keys.original));
    await writeFile(at(keys.original), Buffer.alloc(content.length));
    await rm(at(keys.preview));
    const unreadable = [{ key: keys.original, reason: `file ${PROBLEMS.unsupported_file}` }];
    expect(await run()).toMatchObject({ missingDerived: [keys.preview], unreadable, repaired: 0, ok: false });
    await writeFile(at(keys.original), content);
    expect(await run()).toMatchObject({ unreadable: [], repaired: 1, ok: true });
  });

  it("expects no WebP thumbnails of older files, and treats existing ones as orphans", async () => {
    await test.board.database.mediaFile.updateMany({ where: { md5: md5Of(keys) }, data: { placeholder: null } });
    const report = await run(false);
    expect(report).toMatchObject({ orphans: [keys.small, keys.large], missingDerived: [], ok: false });
    await test.board.thumbnails.backfill(new AbortController().signal);
    expect(await run()).toEqual(clean(posts, files.length));
  });

  it("reports missing originals, and those with a wrong size", async () => {
    const content = await test.board.database.mediaFile.findMany({ orderBy: { id: "desc" }, take: 1 });
    await rm(at(keys.original));
    expect(await run()).toMatchObject({ missingOriginals: [keys.original], orphans: [], ok: false });
    await orphan(keys.original);
    expect(await run()).toMatchObject({ missingOriginals: [keys.original], orphans: [], ok: false });
    // the post goes, and all that is left of its file with it
    const { md5 } = content[0] as { md5: string };
    await test.board.database.upload.deleteMany({ where: { md5 } });
    await test.board.database.post.delete({ where: { md5 } });
    await test.board.database.mediaFile.delete({ where: { md5 } });
    const report = await run();
    expect([report.orphans.sort(), report.ok]).toEqual([Object.values(keys).sort(), true]);
  });

  it("changes nothing in a dry run", async () => {
    const stray = keysOf({ md5: "fedcba9876543210fedcba9876543210" }).preview;
    await orphan(stray);
    await rm(at(keys.preview));
    await mkdir(at("tmp/old"));
    await utimes(at("tmp/old"), 0, 0);
    const before = await filesOf(test);
    const report = await run(false);
    const found = { orphans: [stray], missingDerived: [keys.preview], temporarySwept: 0, repaired: 0, ok: false };
    expect(report).toMatchObject(found);
    expect(await filesOf(test)).toEqual(before);
    expect(await run()).toMatchObject({ temporarySwept: 1, repaired: 2, ok: true });
  });

  it("does not report files of a post that is expunged meanwhile", async () => {
    const admin = await test.make.user("Admin");
    const { id } = await test.board.database.post.findFirstOrThrow({ orderBy: { id: "desc" } });
    const storage = new DiskStorage(test.board.config.mediaDir);
    const real = storage.stat.bind(storage);
    let looks = 0;
    // first the file is listed, and then looked for because of its row
    storage.stat = async (key) => {
      if (key === keys.original && (looks += 1) === 2)
        await admin.client.graphql(`mutation { expungePost(input: { id: ${id} }) { postId } }`);
      return real(key);
    };
    const { database, transact, decoder } = test.board;
    const audit = new StorageAudit({ database, decoder, transact, storage });
    expect(await audit.run(true)).toEqual(clean(posts, files.length));
    expect(await filesOf(test)).toHaveLength(files.length - 5);
  });

  it("does not report a file that a job will remove, as right after its post was expunged", async () => {
    const md5 = "00112233445566778899aabbccddeeff";
    const { preview, original } = keysOf({ md5 });
    await orphan(preview);
    await queueRemoval(test.board.database, md5, [preview, original]);
    expect(await run(false)).toEqual(clean(posts, files.length + 1));
    expect(await run()).toMatchObject({ orphans: [preview], repaired: 1, ok: true });
  });

  it("never treats a file in a remote storage as an orphan within an hour, since it is sent there before the upload commits", async () => {
    const { database, transact, decoder, storage } = test.board;
    const remote = {
      isRemote: true,
      temporary: storage.temporary,
      list: () => storage.list(),
      stat: (key: string) => storage.stat(key),
    } as unknown as Storage;
    const audit = new StorageAudit({ database, transact, decoder, storage: remote });
    const stray = await orphan(keysOf({ md5: "0123456789abcdef0123456789abcdef" }).preview);
    expect(await audit.run(false)).toEqual(clean(posts, files.length + 1));
    const before = new Date(Date.now() - 3_601_000);
    await utimes(at(stray), before, before);
    expect(await audit.run(false)).toMatchObject({ orphans: [stray], ok: false });
    await storage.remove(stray);
  });

  it("never treats an upload in progress as an orphan", async () => {
    const content = await jpeg({ width: 900, height: 80, seed: (serial += 1) });
    const user = await test.make.user("Contributor");
    const client = await test.board.pool.connect();
    try {
      // holds the upload between putting its files in place and the commit that names them
      await client.query("BEGIN; LOCK TABLE uploads IN EXCLUSIVE MODE");
      const upload = test.make.upload(user, { file: new Blob([new Uint8Array(content)]) });
      await expect.poll(() => filesInPlace()).toBe(files.length + 5);
      const audit = run();
      const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
      await client.query("COMMIT");
      const [report, answer] = await Promise.all([audit, upload]);
      expect([answer.status, report.orphans, report.ok]).toEqual([200, [], true]);
      const made = Object.values(keysOf(answer.json as { md5: string }));
      expect(await filesOf(test)).toEqual([...files, ...made].sort());
    } finally {
      client.release();
    }
  });

  /** How many files are stored, without the temporary ones. */
  const filesInPlace = async (): Promise<number> =>
    (await filesOf(test)).filter((file) => !file.startsWith("tmp/")).length;
});
