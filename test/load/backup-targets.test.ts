/** Targets of `board backup` and `board restore`: accepted and refused ones. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ArchiveWriter } from "../../src/operations/backup/archive.js";
import { writeBackup } from "../../src/operations/backup/backup.js";
import { sumOf } from "../../src/operations/backup/manifest.js";
import { restoreBackup } from "../../src/operations/backup/restore.js";
import { migrate, migrationNames } from "../../src/database/migrate.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { query, rowsOf, Target } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { Folder } from "../support/folder.js";
import { holdTable } from "../support/held-table.js";

let test: TestBoard;
let folder: Folder;
beforeAll(async () => {
  test = await startBoard();
  await test.make.post("ship sea");
  folder = await Folder.make();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

const NEW_USER =
  "INSERT INTO users (name, password_hash, updated_at) VALUES ('old', '$2b$12$' || repeat('x', 53), now())";

async function backupOf(databaseUrl = test.board.databaseUrl): Promise<string> {
  const file = folder.at("board.tar");
  await writeBackup({ databaseUrl, storage: test.board.storage, secret: null, file });
  return file;
}

describe("backups and their targets", () => {
  it("restore refuses a board that is not empty", async () => {
    const file = await backupOf();
    await using target = await Target.make(folder);
    await query(target.url, "INSERT INTO tags (name) VALUES ('mine')");
    await expect(target.restore(file)).rejects.toThrow("The board is not empty (tags)");
    expect(await target.contents()).toEqual(["tags"]);
    await query(target.url, "DELETE FROM tags");
    const temporary = await target.storage.temporary.create();
    await writeFile(temporary.path, "mine");
    await target.storage.put(temporary.path, "original/notes.txt");
    await expect(target.restore(file)).rejects.toThrow("The board already has files (original/notes.txt)");
    expect(await target.contents()).toEqual(["original/notes.txt"]);
  });

  it("restore refuses a board in which an account is created meanwhile", async () => {
    const file = await backupOf();
    await using target = await Target.make(folder);
    const signUp = new pg.Client({ connectionString: target.url });
    await signUp.connect();
    await signUp.query(`BEGIN; ${NEW_USER}`);
    const restored = target.restore(file);
    restored.catch(() => undefined);
    const waiting = "SELECT FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted";
    await expect.poll(async () => (await signUp.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1);
    await signUp.query("COMMIT");
    await signUp.end();
    await expect(restored).rejects.toThrow("The board is not empty (users)");
    expect(await target.contents()).toEqual(["users"]);
  });

  it("of two restores at once into one board, the second is refused", async () => {
    const file = await backupOf();
    await using target = await Target.make(folder);
    const both = await Promise.allSettled([target.restore(file), target.restore(file)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = both.find((each) => each.status === "rejected");
    expect(String(refused?.reason)).toMatch(/The board is not empty/);
  });

  it("restore fills a database without tables, as a user who is not a superuser", async () => {
    const file = await backupOf();
    await using target = await Target.make(folder);
    const url = new URL(target.url);
    const role = `plain_${url.pathname.slice(1)}`;
    await query(
      target.url,
      `DROP SCHEMA public CASCADE; DROP SCHEMA graphile_worker CASCADE; CREATE ROLE ${role} LOGIN PASSWORD 'plain';
       ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${role}; CREATE SCHEMA public AUTHORIZATION ${role}`,
    );
    [url.username, url.password] = [role, "plain"];
    const { storage } = target;
    const options = { storage, file, log: createLog("silent"), saveSecret: () => Promise.resolve() };
    const { migrated } = await restoreBackup({ databaseUrl: url.href, ...options });
    expect([migrated, await rowsOf(target.url)]).toEqual([[], await rowsOf(test.board.databaseUrl)]);
    await query(target.url, `REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it("restore migrates a backup of an older version", async () => {
    const old = migrationNames().slice(0, 2);
    await using source = await Target.make(folder);
    const empty = "DROP SCHEMA public CASCADE; CREATE SCHEMA public";
    await query(source.url, empty);
    await migrate(source.url, old);
    await query(source.url, `INSERT INTO tags (name, category) VALUES ('old', 3); ${NEW_USER}`);
    const file = await backupOf(source.url);
    await using target = await Target.make(folder);
    await expect(target.restore(file)).rejects.toThrow("The backup is older than the board's tables");
    await query(target.url, empty);
    expect((await target.restore(file)).migrated).toEqual(migrationNames().slice(2));
    expect(await query(target.url, "SELECT name, category, value FROM tags, tag_generation")).toEqual([
      { name: "old", category: 3, value: 0 },
    ]);
  });

  it("restore fails if a server of a newer version migrates the empty board meanwhile", async () => {
    const old = migrationNames().slice(0, 2);
    const empty = "DROP SCHEMA public CASCADE; CREATE SCHEMA public";
    await using source = await Target.make(folder);
    await using target = await Target.make(folder);
    for (const { url } of [source, target]) {
      await query(url, empty);
      await migrate(url, old);
    }
    await query(source.url, NEW_USER);
    const file = await backupOf(source.url);
    const artists = await holdTable(target.url, "artists"); // which the next migration does not change
    const restored = target.restore(file);
    restored.catch(() => undefined);
    await expect.poll(() => artists.waiting(), { timeout: 20_000 }).toBe(1);
    await migrate(target.url, migrationNames().slice(0, 3));
    await artists[Symbol.asyncDispose]();
    await expect(restored).rejects.toThrow(`The backup is older than the board's tables (${migrationNames()[2]})`);
    expect(await target.contents()).toEqual([]);
  });

  it("restore leaves nothing if a file can't be stored, not even files that are being stored at that moment", async () => {
    const file = await backupOf();
    await using target = await Target.make(folder);
    const { storage } = target;
    const put = storage.put.bind(storage);
    storage.put = async (path, key) => {
      if (key.startsWith("original/")) throw new Error("the disk is full");
      await setTimeout(200);
      await put(path, key);
    };
    await expect(target.restore(file)).rejects.toThrow("the disk is full");
    await setTimeout(400);
    expect(await target.contents()).toEqual([]);
  });

  it("restore waits for the files that are being stored when the backup turns out to be truncated, and leaves nothing", async () => {
    const file = await backupOf();
    await truncate(file, (await stat(file)).size - 1);
    await using target = await Target.make(folder);
    const { storage } = target;
    const put = storage.put.bind(storage);
    let storing = 0;
    storage.put = async (path, key) => {
      storing += 1;
      await setTimeout(50);
      await put(path, key);
      storing -= 1;
    };
    await expect(target.restore(file)).rejects.toThrow("The backup is truncated; nothing was restored.");
    expect([storing, await target.contents()]).toEqual([0, []]);
  });

  it("restore removes each temporary file, also where storing does not move it, as to S3", async () => {
    const file = await backupOf();
    await using target = await Target.make(folder);
    const copies: string[] = [];
    target.storage.put = (path) => Promise.resolve(void copies.push(path));
    const { files } = await target.restore(file);
    expect([copies.length, copies.filter(existsSync)]).toEqual([files, []]);
  });

  it("restore does not call a backup damaged if something fails after the rows were inserted", async () => {
    const file = await backupOf();
    await using target = await Target.make(folder);
    await query(
      target.url,
      `CREATE FUNCTION public.failing(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
         IF current_query() LIKE 'VACUUM%' THEN PERFORM 1 / 0; END IF; RETURN $1; END $$;
       CREATE INDEX ON tags (public.failing(name))`,
    );
    await expect(target.restore(file)).rejects.toThrow("division by zero");
    expect(await rowsOf(target.url)).toEqual(await rowsOf(test.board.databaseUrl));
  });

  it("restore refuses a missing file", async () => {
    await using target = await Target.make(folder);
    const file = folder.at("nowhere/board.tar");
    await expect(target.restore(file)).rejects.toThrow(`There is no file ${file}.`);
    const { storage, databaseUrl } = test.board;
    await expect(writeBackup({ databaseUrl, storage, secret: null, file })).rejects.toThrow(
      `There is no folder for ${file}.`,
    );
  });

  it("backup refuses a database without a board, or with one without accounts", async () => {
    const { storage } = test.board;
    const file = folder.at("nothing.tar");
    await using source = await Target.make(folder);
    const write = () => writeBackup({ databaseUrl: source.url, storage, secret: null, file });
    const sentence = "There is no board with accounts; check DATABASE_URL, DATA_DIR and ENV_FILE.";
    await expect(write()).rejects.toThrow(sentence);
    await query(source.url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await expect(write()).rejects.toThrow(sentence);
    expect(existsSync(file)).toBe(false);
  });

  it("backup writes the target of a symbolic link such as /dev/stdout, and keeps the link", async () => {
    const file = await folder.write("linked.tar", "an older backup");
    const link = folder.at("latest.tar");
    await symlink(file, link);
    const { storage, databaseUrl } = test.board;
    const { bytes } = await writeBackup({ databaseUrl, storage, secret: null, file: link });
    expect([(await lstat(link)).isSymbolicLink(), (await lstat(file)).size]).toEqual([true, bytes]);
  });

  it("backup refuses to replace a pipe or device", async () => {
    const file = folder.at("pipe");
    execFileSync("mkfifo", [file]);
    const { storage, databaseUrl } = test.board;
    await expect(writeBackup({ databaseUrl, storage, secret: null, file })).rejects.toThrow(
      `${file} is not a regular file; name another.`,
    );
    expect((await lstat(file)).isFIFO()).toBe(true);
  });

  it("backup and restore refuse a folder", async () => {
    await using target = await Target.make(folder);
    const file = folder.path;
    await expect(target.restore(file)).rejects.toThrow(`${file} is a folder, not a backup.`);
    const { storage, databaseUrl } = test.board;
    await expect(writeBackup({ databaseUrl, storage, secret: null, file })).rejects.toThrow(
      `${file} is a folder; name a file in it.`,
    );
  });

  it.each([
    ["a newer version", 1, "a newer version of the board, with the migration 29990101000000_later"],
    ["another format", 2, "The file was written by another version of the board, or is not a backup."],
  ])("restore refuses a backup of %s", async (_, format, reason) => {
    const file = folder.at(`newer-${format}.tar`);
    const archive = await ArchiveWriter.create(file);
    const manifest = { format, takenAt: "", migrations: ["29990101000000_later"], tables: [], sequences: {} };
    const content = Buffer.from(JSON.stringify(manifest));
    await archive.add("manifest.json", content);
    await archive.add("manifest.sha256", sumOf(content));
    await archive.finish();
    await using target = await Target.make(folder);
    await expect(target.restore(file)).rejects.toThrow(reason);
  });
});
