/** gallery-dl, a popular downloader, against a real board, with the configuration in docs/clients.md. */
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { Folder } from "../support/folder.js";

const run = promisify(execFile);
const missing = spawnSync("gallery-dl", ["--version"]).error !== undefined;
const why = missing ? " (skipped: gallery-dl is not on the PATH)" : "";

let test: TestBoard;
let folder: Folder;
let user: TestUser;
let posts: TestPost[];

beforeAll(async () => {
  folder = await Folder.make();
  test = await startBoard({ MAX_PER_PAGE: "2" });
  user = await test.make.user("Contributor");
  posts = [];
  for (const tags of ["harbour ship", "harbour", "harbour -ship", "hills"]) posts.push(await test.make.post(tags));
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** The block of JSON in docs/clients.md, with this board's address and this user's key. */
async function configuration(): Promise<string> {
  const page = await readFile("docs/clients.md", "utf8");
  const block = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const config = JSON.parse(block.replaceAll("http://127.0.0.1:3000", test.url)) as {
    extractor: { "my-board": object };
  };
  Object.assign(config.extractor["my-board"], { username: user.name, password: user.apiKey });
  return folder.write("gallery-dl.json", JSON.stringify(config));
}

/** MD5s of the files that a URL of the board's gives, sorted. */
async function download(target: string, name: string): Promise<string[]> {
  const to = folder.at(name);
  await run("gallery-dl", ["--config-ignore", "-c", await configuration(), "-d", to, `${test.url}${target}`]);
  const files = await readdir(to, { recursive: true, withFileTypes: true });
  const contents = files.filter((file) => file.isFile()).map((file) => readFile(path.join(file.parentPath, file.name)));
  return (await Promise.all(contents)).map((bytes) => createHash("md5").update(bytes).digest("hex")).sort();
}

const chosen = (indexes: number[]): TestPost[] => indexes.flatMap((index) => posts[index] ?? []);
const md5s = (...indexes: number[]): string[] =>
  chosen(indexes)
    .map(({ md5 }) => md5)
    .sort();
const idsOf = (...indexes: number[]): number[] => chosen(indexes).map(({ id }) => id);

describe.skipIf(missing)(`gallery-dl${why}`, () => {
  it("downloads the posts of a tag search, page by page", async () => {
    const files = await download("/posts?tags=harbour", "tags");
    expect(files).toEqual(md5s(0, 1, 2));
  });

  it("downloads a single post", async () => {
    expect(await download(`/posts/${posts[3]?.id}`, "post")).toEqual(md5s(3));
  });

  it("downloads a pool", async () => {
    const { json } = await user.client.post("/pools.json", {
      pool: { name: "Boats_and_hills", description: "Both.", post_ids: idsOf(3, 0).join(" ") },
    });
    expect(await download(`/pools/${json.id}`, "pool")).toEqual(md5s(0, 3));
  });

  it("downloads popular posts", async () => {
    expect(await download("/explore/posts/popular", "popular")).toEqual(md5s(0, 1, 2, 3));
  });

  it("signs in: gets the file of a banned post only from Gold on", async () => {
    const banned = await test.make.post("secret_place");
    await test.board.database.post.update({ where: { id: banned.id }, data: { isBanned: true } });
    const files = await download("/posts?tags=secret_place", "banned");
    expect(files).toEqual([banned.md5]);
  });
});
