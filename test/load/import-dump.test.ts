/** `board import` from the JSON dump of a board, including a damaged one. */
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KINDS } from "../../src/operations/import/source.js";
import { filesIn, rowsOf } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { Folder } from "../support/folder.js";
import { applyRelations, contentsOf, expectClean, fillSource, importInto } from "../support/imports.js";
import { jpeg } from "../support/pictures.js";
import { createHash } from "node:crypto";

type Row = Record<string, unknown>;

let there: TestBoard;
let folder: Folder;
/** The records of every kind, as the site lists them. */
const records: Record<string, Row[]> = {};
beforeAll(async () => {
  there = await startBoard();
  await fillSource(there);
  folder = await Folder.make();
  for (const kind of KINDS) {
    const params = kind === "posts" ? { tags: "status:any" } : { search: { hide_empty: "no" } };
    records[kind] = (await there.anonymous.get(`/${kind}.json`, { limit: 1_000, ...params })).json as Row[];
  }
});
afterAll(async () => {
  await there[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

let here: TestBoard;
let dump: string;
let serial = 0;
beforeEach(async () => {
  here = await startBoard();
  await here.make.user("Admin");
  dump = folder.at(`dump-${(serial += 1)}`);
  await mkdir(dump);
  return () => here[Symbol.asyncDispose]();
});

const lines = (rows: unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const write = (name: string, content: string | Buffer): Promise<void> => writeFile(path.join(dump, name), content);
const media = (): string => there.board.config.mediaDir;

describe("a dump", () => {
  it("of lines, compressed or not, in several files, with a folder of files reproduces the board", async () => {
    for (const kind of KINDS) {
      const rows = records[kind] ?? [];
      if (kind === "posts") {
        await write("posts000000000000.json", lines(rows.slice(0, 3)));
        await write("posts000000000001.json.gz", gzipSync(lines(rows.slice(3))));
      } else if (kind === "tags") await write("tags.jsonl.gz", gzipSync(lines(rows)));
      else await write(`${kind}.json`, kind === "pools" ? JSON.stringify(rows, null, 2) : JSON.stringify(rows));
    }
    // newest first: parents come before and after their children
    const options = { from: dump, files: media() };
    const report = await importInto(here, options);
    expect(report).toMatchObject({ posts: { created: records.posts?.length, failed: 0 }, stopped: null, remarks: [] });
    await applyRelations(here);
    expect(await contentsOf(here.anonymous)).toEqual(await contentsOf(there.anonymous));
    expect(await filesIn(here.board.config.mediaDir)).toEqual(await filesIn(media()));
    await expectClean(here);

    const before = await rowsOf(here.board.databaseUrl);
    expect(await importInto(here, options)).toMatchObject({ posts: { created: 0, existing: 0, failed: 0 } });
    expect(await rowsOf(here.board.databaseUrl)).toEqual(before);
    // nor is there anything to do when the dump lies elsewhere and its name is given
    expect(await importInto(here, { ...options, from: `${dump}/.`, source: dump })).toMatchObject({
      posts: { existing: 0 },
    });
    expect(await rowsOf(here.board.databaseUrl)).toEqual(before);
    // the site that it was made of has nothing more to give
    expect(await importInto(here, { from: there.url })).toMatchObject({
      posts: { created: 0, existing: records.posts?.length },
      notes: { created: 0 },
      pools: { created: 0 },
    });
    expect((await contentsOf(here.anonymous)).notes).toEqual((await contentsOf(there.anonymous)).notes);
    await expectClean(here);
  });

  it("with a post whose id would leave no ids for others, with --keep-ids", async () => {
    const [post = {}] = records.posts ?? [];
    await write("posts.json", lines([{ ...post, id: 2_147_483_647, parent_id: null }]));
    const report = await importInto(here, { from: dump, files: media(), keepIds: true });
    expect(report).toMatchObject({ posts: { created: 0, failed: 1 } });
    expect(report.remarks).toEqual([
      { kind: "posts", id: 2_147_483_647, reason: "id must be between 1 and 1000000000" },
    ]);
    expect((await here.make.post("next")).id).toBe(1);
    await expectClean(here);
  });

  it("in the spelling of older boards and public dumps", async () => {
    const content = await jpeg({ seed: 90_101, width: 600, height: 40 });
    const md5 = createHash("md5").update(content).digest("hex");
    const files = folder.at("by-number");
    await mkdir(path.join(files, "original", "0007"), { recursive: true });
    await writeFile(path.join(files, "original", "0007", "12007.jpg"), content);
    const post = {
      id: "12007",
      created_at: "2005-05-24 03:35:31 UTC",
      rating: "g",
      md5: md5.toUpperCase(),
      file_ext: "jpg",
      parent_id: "0",
      is_deleted: "f",
      source: null,
      tags: [
        { id: "1", name: "Sea", category: "0" },
        { id: "2", name: "mira", category: "1" },
      ],
    };
    await write("posts.json", lines([post]));
    await write("pools.json", lines([{ id: "3", name: "old ways", post_ids: "12007 99", category: "series" }]));
    await write(
      "wiki_pages.json",
      lines([{ id: "4", title: "Sea Gull", body: "A bird.", other_names: "kamome larus" }]),
    );
    const report = await importInto(here, { from: dump, files });
    expect(report).toMatchObject({
      posts: { created: 1 },
      pools: { created: 1 },
      wiki_pages: { created: 1 },
      remarks: [],
    });
    const { posts, pools, wiki_pages: pages } = await contentsOf(here.anonymous);
    expect(posts).toMatchObject([
      {
        md5,
        rating: "s",
        tag_string_artist: "mira",
        tag_string_general: "sea",
        created_at: "2005-05-24T03:35:31.000+00:00",
      },
    ]);
    expect(pools).toMatchObject([{ name: "old_ways", posts: [md5] }]);
    expect(pages).toMatchObject([{ title: "sea_gull", other_names: ["kamome", "larus"] }]);
    await expectClean(here);
  });

  it("without some files imports the other posts, and the rest once their files exist", async () => {
    for (const kind of KINDS) await write(`${kind}.json`, lines(records[kind] ?? []));
    const bare = (records.posts ?? []).map((post) => ({ ...post, file_url: null, media_asset: null }));
    await write("posts.json", lines(bare));
    const files = folder.at("some-files");
    await mkdir(files);
    const originals = (await readdir(path.join(media(), "original"), { recursive: true })).filter((name) =>
      name.includes("."),
    );
    const copy = (name: string) =>
      copyFile(path.join(media(), "original", name), path.join(files, path.basename(name)));
    const [first = "", ...rest] = originals.toSorted();
    await copy(first);

    const partial = await importInto(here, { from: dump, files });
    expect(partial).toMatchObject({ posts: { created: 1, failed: bare.length - 1 }, pools: { failed: 0 } });
    const reasons = new Set(
      partial.remarks.filter(({ kind }: Row) => kind === "posts").map(({ reason }: Row) => reason),
    );
    expect([...reasons]).toEqual(["file: not in the folder, and without a URL"]);
    await expectClean(here);
    const before = await rowsOf(here.board.databaseUrl);
    await importInto(here, { from: dump, files });
    expect(await rowsOf(here.board.databaseUrl)).toEqual(before);

    await Promise.all(rest.map(copy));
    const whole = await importInto(here, { from: dump, files });
    expect(whole).toMatchObject({
      posts: { created: bare.length - 1, failed: 0 },
      notes: { failed: 0 },
      pools: { created: 0 },
    });
    expect(whole.pools.completed).toBeGreaterThan(0);
    await applyRelations(here);
    expect(await contentsOf(here.anonymous)).toEqual(await contentsOf(there.anonymous));
    await expectClean(here);
  });

  it("gives a pool the posts that it lacked, but none that somebody has removed from it", async () => {
    const owner = await here.make.user("Admin");
    const posts = (records.posts ?? []).filter(({ parent_id }) => parent_id === null).slice(0, 4);
    const options = { from: dump, files: media(), as: owner.name };
    await write("posts.json", lines(posts.slice(0, 3)));
    await write("pools.json", lines([{ id: 1, name: "shore", post_ids: posts.map(({ id }) => id) }]));
    await importInto(here, options);
    const pool = async () =>
      ((await here.anonymous.get("/pools.json")).json as { id: number; post_ids: number[] }[])[0];
    const [first, , third] = (await pool())?.post_ids ?? [];
    await owner.client.put(`/pools/${(await pool())?.id}.json`, { pool: { post_ids: [first, third] } });
    await write("posts.json", lines(posts));
    expect(await importInto(here, options)).toMatchObject({ posts: { created: 1 }, pools: { completed: 1 } });
    const [last] = (await here.anonymous.get("/posts.json", { tags: "status:any" })).json as { id: number }[];
    expect((await pool())?.post_ids).toEqual([first, third, last?.id]);
    await expectClean(here);
  });

  it("continues after a post whose number is also an error code of PostgreSQL", async () => {
    const note = { x: 1, y: 1, width: 9, height: 9, body: "a sail" };
    await write("notes.json", lines([53_300, 40_001].map((post_id, index) => ({ id: index + 1, post_id, ...note }))));
    await write("wiki_pages.json", lines([{ id: 1, title: "sea", body: "Salt water." }]));
    expect(await importInto(here, { from: dump })).toMatchObject({
      notes: { failed: 2 },
      wiki_pages: { created: 1 },
      stopped: null,
      remarks: [
        { kind: "notes", id: 1, reason: "its post 53300 has not been imported" },
        { kind: "notes", id: 2, reason: "its post 40001 has not been imported" },
      ],
    });
  });

  it("without any known file is refused", async () => {
    await using empty = await Folder.make();
    await empty.write("post.json", "{}");
    await expect(importInto(here, { from: empty.path })).rejects.toThrow(
      `The folder ${empty.path} has no file of a dump, such as posts.json or tags.jsonl.gz.`,
    );
  });

  it("that is truncated imports what it has, and says so", async () => {
    const packed = gzipSync(lines(records.tags ?? []), { level: 0 });
    await write("tags.json.gz", packed.subarray(0, packed.length - 200));
    const report = await importInto(here, { from: dump });
    expect(report.stopped).toMatch(
      /tags\.json\.gz can't be read to its end \((Z_BUF_ERROR|unexpected end of file)\)\.$/,
    );
    expect(report.tags.created).toBeGreaterThan(5);
    await expectClean(here);
  });
});
