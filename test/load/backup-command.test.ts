/** The `board` command on running servers: a backup of one, a second board restored from it, and `verify` on both. */
import { execFile } from "node:child_process";
import { chmod, rm, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CLEAN, filesIn } from "../support/backup.js";
import { Client } from "../support/client.js";
import { discard } from "../support/clusters.js";
import { Folder } from "../support/folder.js";
import { jpeg } from "../support/pictures.js";
import { prepareDataDir } from "../support/prepared.js";
import { ServerProcess } from "../support/server-process.js";
import { cookieOf } from "../support/session.js";

let folder: Folder;
beforeAll(async () => {
  folder = await Folder.make();
  await chmod(folder.path, 0o711); // the database's user has to enter it
});
afterAll(() => discard(folder.path));

interface Outcome {
  code: number;
  json: Record<string, unknown>;
  stderr: string;
}

/** Runs a `board` command on a data folder. */
async function board(dataDir: string, ...args: string[]): Promise<Outcome> {
  const env = { ...process.env, DATA_DIR: dataDir, BCRYPT_COST: "4" };
  const run = promisify(execFile)("node", ["dist/src/cli.js", ...args], { env });
  const parse = (stdout: string) => JSON.parse(stdout || "{}") as Record<string, unknown>;
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, json: parse(stdout), stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      json: parse(stdout),
      stderr,
    }),
  );
}

it("board backup, restore and verify", { timeout: 180_000 }, async () => {
  const [first, second, file] = [folder.at("first"), folder.at("second"), folder.at("board.tar")];
  await prepareDataDir(first);
  await using server = await ServerProcess.start(first);
  const { json: user } = await board(first, "user", "create", "mira", "a password", "contributor");
  const mira = new Client(server.url).as({ name: "mira", apiKey: String(user.api_key) });
  const picture = new Blob([new Uint8Array(await jpeg({ width: 900, height: 90, seed: 31 }))]);
  const upload = { file: picture, tag_string: "sea ship", rating: "s" };
  expect((await mira.post("/uploads.json", { upload })).status).toBe(200);
  const session = await new Client(server.url).post("/session.json", { name: "mira", password: "a password" });
  const clean = {
    code: 0,
    json: { ok: true, faults: [], storage: { mediaFiles: 1, storedFiles: 5, ...CLEAN } },
    stderr: "",
  };
  expect(await board(first, "verify")).toEqual(clean);

  const backup = await board(first, "backup", file);
  const bytes = (await stat(file)).size;
  expect(backup).toEqual({
    code: 0,
    json: { file, bytes, tables: expect.any(Number), files: 5, missing: 0, missingKeys: [], damagedKeys: [] },
    stderr: "",
  });
  const piped = await board(first, "backup", "-");
  expect([piped.code, piped.stderr]).toEqual([1, "/dev/stdout is not a regular file; name another.\n"]);
  const restored = await board(second, "restore", file);
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  expect(restored.json).toEqual({ takenAt: expect.any(String), tables: backup.json.tables, files: 5, migrated: [] });
  expect(await filesIn(`${second}/media`)).toEqual(await filesIn(`${first}/media`));
  expect((await stat(`${second}/secret`)).mode & 0o777).toBe(0o600);

  const refused = await board(second, "restore", file);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^The board is not empty \(\w+\); a backup is restored into a new one\.\n$/),
  ]);

  await using other = await ServerProcess.start(second);
  const there = await new Client(other.url).get("/posts.json", { tags: "ship" });
  expect(there.json).toMatchObject([{ id: 1, tag_string: "sea ship" }]);
  // sessions begin anew, since one may have been ended meanwhile; the secret that signs the REST interface's cookies is the same
  const profile = (...names: string[]) =>
    new Client(other.url).with({ cookie: cookieOf(session, ...names) }).get("/profile.json");
  expect((await profile("session")).status).toBe(403);
  expect((await profile("user_name", "password_hash")).json).toMatchObject({ name: "mira" });
  expect(await board(second, "verify")).toEqual(clean);

  const again = { posts: 1, failed: 0, failedIds: [] };
  for (const range of [[], ["--posts", "1"], ["--posts", "..5"]])
    expect(await board(second, "regenerate-thumbnails", ...range)).toEqual({ code: 0, json: again, stderr: "" });
  expect((await board(second, "regenerate-thumbnails", "--posts", "2..")).json).toEqual({ ...again, posts: 0 });
  expect((await board(second, "regenerate-thumbnails", "--posts", "all")).code).toBe(1);
  expect(await filesIn(`${second}/media`)).toEqual(await filesIn(`${first}/media`));

  const key = Object.keys(await filesIn(`${second}/media`)).find((each) => each.startsWith("original/")) ?? "";
  await rm(`${second}/media/${key}`);
  const broken = await board(second, "verify");
  expect(broken).toMatchObject({ code: 1, json: { ok: false, faults: [], storage: { missingOriginals: [key] } } });
});
