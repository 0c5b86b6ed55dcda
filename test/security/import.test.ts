/** Malicious records of a dump or a site: none is trusted, and each is reported separately. */
import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { Folder } from "../support/folder.js";
import { contentsOf, expectClean, importInto } from "../support/imports.js";
import { jpeg } from "../support/pictures.js";
import { answering, failing, startUnreliableSite, type UnreliableSite } from "../support/unreliable-site.js";

type Row = Record<string, unknown>;

let folder: Folder;
let site: UnreliableSite;
let here: TestBoard;
let dump: string;
let serial = 0;
beforeAll(async () => {
  folder = await Folder.make();
  site = await startUnreliableSite("http://127.0.0.1:1");
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
beforeEach(async () => {
  here = await startBoard();
  await here.make.user("Admin");
  dump = folder.at(`dump-${(serial += 1)}`);
  await mkdir(dump);
  site.fault = () => false;
  return () => here[Symbol.asyncDispose]();
});

const lines = (rows: unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const write = (name: string, content: string): Promise<void> => writeFile(path.join(dump, name), content);

describe("a malicious dump", () => {
  /** A post whose file is there. */
  async function post(attributes: Row): Promise<Row> {
    const content = await jpeg({ seed: 90_200 + (serial += 1) });
    const md5 = createHash("md5").update(content).digest("hex");
    await mkdir(path.join(dump, "files"), { recursive: true });
    await writeFile(path.join(dump, "files", `${md5}.jpg`), content);
    return { rating: "s", tag_string: "harmless", md5, file_ext: "jpg", ...attributes };
  }
  const bring = (dryRun = false) => importInto(here, { from: dump, files: path.join(dump, "files"), dryRun });

  it("is reported record by record, and its valid records are imported", async () => {
    const sound = await post({ id: 1 });
    const rows: [string, string][] = [
      ['{"id":2,"rating":"s"', "record: is not an object with an id"],
      ["null", "record: is not an object with an id"],
      ["[[[[[]]]]]", "record: is not an object with an id"],
      ['{"id":-3}', "record: is not an object with an id"],
      ['{"id":99999999999}', "record: is not an object with an id"],
      [JSON.stringify(await post({ id: 4, md5: "../../../../etc/passwd" })), "md5: Invalid string"],
      [JSON.stringify(await post({ id: 5, file_ext: "../x" })), "file_ext: Invalid string"],
      [JSON.stringify(await post({ id: 6, file_ext: "swf" })), "file_ext: swf is not a file type of this board"],
      [JSON.stringify(await post({ id: 7, rating: "x" })), "rating: is invalid"],
      [JSON.stringify(await post({ id: 8, tag_string: { a: 1 } })), "tag_string: Invalid input"],
      [
        JSON.stringify(await post({ id: 9, source: "x".repeat(2_000) })),
        "source is too long (at most 1200 characters)",
      ],
      [JSON.stringify(await post({ id: 10, source: "a\0b" })), "source is invalid"],
      [JSON.stringify(await post({ id: 11, created_at: "yesterday" })), "created_at: Invalid input: expected a time"],
      [
        JSON.stringify(await post({ id: 12, tag_string: Array.from({ length: 2_000 }, (_, n) => `t${n}`).join(" ") })),
        "tag_string has more than 1250 tags",
      ],
      [JSON.stringify(await post({ id: 13, is_deleted: "perhaps" })), "is_deleted: Invalid input: expected boolean"],
      [
        JSON.stringify(await post({ id: 14, tag_string: "x".repeat(9_000_000) })),
        "record: is not an object with an id",
      ],
    ];
    await write("posts.json", `${rows.map(([line]) => line).join("\n")}\n${JSON.stringify(sound)}`);
    const expected = { created: 1, existing: 0, completed: 0, failed: rows.length };
    const remembered = () => here.board.database.query(sql`SELECT FROM import_records WHERE problem IS NOT NULL`);
    expect([(await bring(true)).posts, await remembered()]).toEqual([expected, []]);
    const report = await bring();
    expect(report.posts).toEqual(expected);
    const reasons = (report.remarks as Row[]).map(({ reason }) => reason);
    for (const [index, [, reason]] of rows.entries()) expect(reasons[index]).toContain(reason);
    expect((await contentsOf(here.anonymous)).posts).toMatchObject([{ md5: sound.md5 }]);
    await expectClean(here);
  });

  it("can't pass off another file as a post's", async () => {
    const { md5, ...rest } = await post({ id: 1 });
    const wrong = "0".repeat(32);
    await rename(path.join(dump, "files", `${String(md5)}.jpg`), path.join(dump, "files", `${wrong}.jpg`));
    await write("posts.json", lines([{ ...rest, md5: wrong }]));
    const report = await bring();
    expect([report.posts, report.remarks]).toMatchObject([
      { created: 0, failed: 1 },
      [{ kind: "posts", id: 1, reason: `file: ${wrong}.jpg has another md5` }],
    ]);
    await expectClean(here);
  });

  it("can't change prototypes by its keys, nor run meta-tags by its tags", async () => {
    const { id: _, ...rest } = await post({
      tag_string: "sea rating:e locked:status parent:1 -sea source:x fav:me art:x and",
    });
    const hostile = `{"id":1,"__proto__":{"is_deleted":true,"rating":"e"},"constructor":{"prototype":{"x":1}},${JSON.stringify(rest).slice(1)}`;
    await write("posts.json", hostile);
    const report = await bring();
    expect(report.posts).toMatchObject({ created: 1, failed: 0 });
    expect((report.remarks as Row[]).map(({ reason }) => reason)).toContainEqual(
      "left out the tag rating:e begins with the meta-tag rating",
    );
    const { posts } = await contentsOf(here.anonymous);
    expect(posts).toMatchObject([
      { tag_string: "lowres sea", rating: "s", is_deleted: false, is_status_locked: false },
    ]);
    expect(({} as Row).x).toBeUndefined();
    await expectClean(here);
  });

  it("can't create a cycle of parents", async () => {
    const family = [
      await post({ id: 1, parent_id: 3 }),
      await post({ id: 2, parent_id: 1 }),
      await post({ id: 3, parent_id: 2 }),
    ];
    await write(
      "posts.json",
      lines([...family, await post({ id: 4, parent_id: 4 }), await post({ id: 5, parent_id: 999 })]),
    );
    const report = await bring();
    expect(report).toMatchObject({ posts: { created: 5, failed: 0 }, parents: 0, parentsMissing: 1 });
    expect(report.remarks).toEqual([
      { kind: "posts", id: 1, reason: "left out the parent: parent would make the post its own ancestor" },
      { kind: "posts", id: 4, reason: "left out the parent: parent can't be the post itself" },
    ]);
    await expectClean(here);
  });

  it("is subject to the limits of texts, rectangles and names", async () => {
    await write("posts.json", lines([await post({ id: 1 })]));
    const note = { post_id: 1, x: 1, y: 1, width: 5, height: 5, body: "a" };
    const rows: Record<string, [Row, string][]> = {
      tags: [
        [{ id: 1, name: "rating:s", category: 0 }, 'tag_string has "rating:s", which begins with the meta-tag rating'],
        [
          { id: 2, name: "x".repeat(200), category: 0 },
          `tag_string has "${"x".repeat(50)}…", which is too long (at most 170 characters)`,
        ],
        [{ id: 3, name: "sea", category: 7 }, "category: Invalid input"],
        [{ id: 4, name: "a\0b", category: 0 }, 'tag_string has "a\uFFFDb", which is invalid'],
      ],
      pools: [
        [{ id: 1, name: "x".repeat(171) }, "name is too long (at most 170 characters)"],
        [{ id: 2, name: "12" }, "name is invalid"],
        [{ id: 3, name: "a", description: "x".repeat(20_001) }, "description is too long (at most 20000 characters)"],
        [{ id: 4, name: "b", post_ids: ["1; DROP TABLE posts"] }, "post_ids.0: Invalid input"],
        [{ id: 5, name: "c", post_ids: Array<number>(10_001).fill(1) }, "post_ids has more than 10000 posts"],
      ],
      notes: [
        [{ id: 1, ...note, post_id: 77 }, "its post 77 has not been imported"],
        [{ id: 2, ...note, width: 5_000 }, "note must lie within the picture"],
        [{ id: 3, ...note, x: -1 }, "x: Too small"],
        [{ id: 4, ...note, body: "x".repeat(5_001) }, "body is too long (at most 5000 characters)"],
        [{ id: 5, ...note, body: "\ud800" }, "body is invalid"],
      ],
      wiki_pages: [
        [{ id: 1, title: "a", body: "x".repeat(80_001) }, "body is too long (at most 80000 characters)"],
        [{ id: 2, title: "b", body: " " }, "wiki_page[body] is required"],
        [
          { id: 3, title: "c", body: "c", other_names: Array.from({ length: 81 }, (_, n) => `n${n}`) },
          "other_names has more than 80 entries",
        ],
      ],
      tag_aliases: [
        [{ id: 1, antecedent_name: "a", consequent_name: "a" }, "antecedent_name must not be the consequent itself"],
        [{ id: 2, antecedent_name: "a", consequent_name: "b", status: "deleted" }, "status: is not active"],
      ],
    };
    for (const [kind, list] of Object.entries(rows)) await write(`${kind}.json`, lines(list.map(([row]) => row)));
    const report = await bring();
    const actual = (report.remarks as Row[]).map(
      ({ kind, id, reason }) => `${String(kind)} ${String(id)}: ${String(reason)}`,
    );
    const expected = Object.entries(rows).flatMap(([kind, list]) =>
      list.map(([{ id }, reason]) => `${kind} ${String(id)}: ${reason}`),
    );
    expect(actual.map((line) => line.split(":")[0])).toEqual(expected.map((line) => line.split(":")[0]));
    for (const [index, sentence] of expected.entries()) expect(actual[index]).toContain(sentence);
    expect(await contentsOf(here.anonymous)).toMatchObject({ pools: [], notes: [], wiki_pages: [], relations: [] });
    await expectClean(here);
  });
});

describe("a malicious site", () => {
  const post = { id: 1, rating: "s", tag_string: "sea", md5: "0".repeat(32), file_ext: "jpg" };
  const cases: [string, string, string][] = [
    ["a private address", "http://127.0.0.2:8080/x.jpg", "leads to an address that is not public"],
    ["a local file", "file:///etc/passwd", "is not an http or https URL"],
    ["credentials", "http://a:b@127.0.0.1/x.jpg", "is not an http or https URL"],
  ];
  it.each(cases)("can't make the board download from %s", async (_, file_url, reason) => {
    site.fault = failing("/posts.json", 2, answering(200, JSON.stringify([{ ...post, file_url }])));
    const report = await importInto(here, { from: site.url, only: ["posts"], limit: 1 });
    expect(report.remarks).toEqual([{ kind: "posts", id: 1, reason: `file: source ${reason}` }]);
    await expectClean(here);
  });

  it("can't redirect a download to a private address", async () => {
    const listed = answering(200, JSON.stringify([{ ...post, file_url: "/x.jpg" }]));
    const redirected = failing("/x.jpg", 1, answering(302, "", { location: "http://127.0.0.2:8080/x" }));
    site.fault = (asked, response) => failing("/posts.json", 1, listed)(asked, response) || redirected(asked, response);
    const report = await importInto(here, { from: site.url, only: ["posts"], limit: 1 });
    expect(report.remarks).toMatchObject([{ reason: "file: source leads to an address that is not public" }]);
    await expectClean(here);
  });

  it("can't fill the memory with an endless response", async () => {
    site.fault = failing("/tags.json", Infinity, (response) => {
      const send = (): void =>
        void response.write(Buffer.alloc(1024 * 1024, " "), () => response.destroyed || setImmediate(send)); // else a socket that is closed never says so
      send();
    });
    const report = await importInto(here, { from: site.url });
    expect(report.stopped).toMatch(/ returned more than 67108864 bytes\.$/);
    await expectClean(here);
  });
});
