/** `board import` from a site that fails, and killed in the middle: it resumes, with the same result. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query, rowsOf } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { applyRelations, contentsOf, expectClean, fillSource, importInto } from "../support/imports.js";
import { noDisk, SmallDisk } from "../support/small-disk.js";
import { CutProxy } from "../support/cut-proxy.js";
import { answering, failing, startUnreliableSite, type UnreliableSite } from "../support/unreliable-site.js";

let there: TestBoard;
let site: UnreliableSite;
beforeAll(async () => {
  there = await startBoard();
  await fillSource(there);
  site = await startUnreliableSite(there.url);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await there[Symbol.asyncDispose]();
});

let here: TestBoard;
beforeEach(async () => {
  here = await startBoard();
  await here.make.user("Admin");
  site.fault = () => false;
  site.asked.length = 0;
  return () => here[Symbol.asyncDispose]();
});

const FILES = "/data/original";

/** The whole import, in the end: everything is here, nothing twice, and nothing disagrees. */
async function expectWhole(): Promise<void> {
  await applyRelations(here);
  expect(await contentsOf(here.anonymous)).toEqual(await contentsOf(there.anonymous));
  await expectClean(here);
}

/** Promises more than it sends. */
const cutOff = (response: ServerResponse): void => {
  response.writeHead(200, { "content-length": "100000", "content-type": "image/jpeg" });
  response.write("half", () => response.destroy());
};

describe("a failing source site", () => {
  const passing: [string, string, number, (response: ServerResponse) => unknown][] = [
    ["429 without a hint", "/posts.json", 2, answering(429)],
    ["500", "/tags.json", 3, answering(500, "oops")],
    ["garbage", "/pools.json", 2, answering(200, "<html>one moment please</html>")],
    ["an object in place of a list", "/notes.json", 2, answering(200, '{"success":false}')],
    ["an answer that breaks off", "/wiki_pages.json", 2, cutOff],
    ["503 for a file", FILES, 2, answering(503)],
    ["a file that breaks off", FILES, 2, cutOff],
    ["a file with another md5", FILES, 2, answering(200, "not the file")],
  ];
  it.each(passing)("is retried after a temporary failure: %s", async (_, path, times, answer) => {
    site.fault = failing(path, times, answer);
    expect(await importInto(here, { from: site.url })).toMatchObject({ stopped: null, remarks: [] });
    await expectWhole();
  });

  it("is not asked again before its Retry-After", async () => {
    site.fault = failing("/posts.json", 1, answering(429, "", { "retry-after": "2" }));
    await importInto(here, { from: site.url, only: ["posts"], limit: 1 });
    const [first, second] = site.asked.filter(({ path }) => path.startsWith("/posts.json"));
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  const lasting: [string, (response: ServerResponse) => unknown, RegExp][] = [
    ["500", answering(500), / responded with 500; try again later\.$/],
    ["garbage", answering(200, "<html>"), / returned "<html>" instead of JSON; try again later\.$/],
    ["403", answering(403, '{"reason":"login required"}'), / responded with 403 to \/posts\.json: /],
    ["a very long pause", answering(429, "", { "retry-after": "7200" }), /it asks to retry after 7200 seconds\.$/],
    [
      "another place",
      answering(301, "", { location: "https://example.org/" }),
      / redirects to https:\/\/example\.org\/; use that URL\.$/,
    ],
    ["always the same page", answering(200, '[{"id":1,"rating":"s"}]'), / does not list posts by id /],
  ];
  it.each(lasting)(
    "ends the import with a message if it does not recover, and the next import continues: %s",
    async (_, answer, sentence) => {
      site.fault = failing("/posts.json", Infinity, answer);
      const report = await importInto(here, { from: site.url });
      expect(report.stopped).toMatch(sentence);
      expect(report.tags.created).toBeGreaterThan(5);
      await expectClean(here);
      site.fault = () => false;
      await importInto(here, { from: site.url });
      await expectWhole();
    },
  );

  it("never sends a file: its post is skipped, and added by the next import", async () => {
    const [post] = (await there.anonymous.get("/posts.json", { tags: "sea_gull" })).json as {
      id: number;
      md5: string;
    }[];
    const path = `${FILES}/${post?.md5.slice(0, 2)}/${post?.md5.slice(2, 4)}/${post?.md5}`;
    for (const [answer, reason] of [
      [answering(404), "(the site responded with 404)"],
      [answering(500), "(the site responded with 500)"],
      [answering(200, "not the file"), "the download has another md5"],
      [cutOff, "could not be downloaded"],
    ] as const) {
      site.fault = failing(path, Infinity, answer);
      const report = await importInto(here, { from: site.url, only: ["posts"] });
      expect(report).toMatchObject({ posts: { failed: 1 }, stopped: null });
      expect(report.remarks).toEqual([{ kind: "posts", id: post?.id, reason: expect.stringContaining(reason) }]);
      await expectClean(here);
    }
    site.fault = () => false;
    expect(await importInto(here, { from: site.url })).toMatchObject({ posts: { created: 1, failed: 0 }, remarks: [] });
    await expectWhole();
  });

  it("never sends some files: their posts don't count towards --limit", async () => {
    await using other = await startBoard();
    await other.make.user("Admin");
    const first = () => importInto(other, { from: site.url, only: ["posts"], limit: 1 });
    site.fault = failing(FILES, Infinity, answering(404));
    expect(await first()).toMatchObject({ posts: { created: 0, failed: 1 }, stopped: null });
    const path = site.asked.find(({ path: each }) => each.startsWith(FILES))?.path ?? "";
    site.fault = failing(path, Infinity, answering(404));
    expect(await first()).toMatchObject({ posts: { created: 1, failed: 1 }, stopped: null });
  });

  it("sends no files at all: the import ends after ten posts", async () => {
    for (let more = 0; more < 6; more += 1) await there.make.post("many");
    site.fault = failing(FILES, Infinity, answering(503));
    const report = await importInto(here, { from: site.url, only: ["posts"] });
    expect(report.stopped).toMatch(/^10 files in a row could not be downloaded; /);
    await expectClean(here);
  });
});

describe("requests", () => {
  it("do not exceed the given rate, and send the login only with the site's lists", async () => {
    await using other = await startBoard({ IMPORT_LOGIN: "mira", IMPORT_API_KEY: "key" });
    await other.make.user("Admin");
    const began = Date.now();
    await importInto(other, { from: site.url, only: ["posts"], limit: 2, rate: 20 });
    expect(site.asked.length).toBeGreaterThan(3);
    for (const [index, { at }] of site.asked.entries()) expect(at - began).toBeGreaterThanOrEqual(index * 50 - 2);
    const basic = `Basic ${Buffer.from("mira:key").toString("base64")}`;
    for (const { path, authorization } of site.asked)
      expect([path, authorization]).toEqual([path, path.startsWith(FILES) ? undefined : basic]);
  });
});

describe("a disk that is full", () => {
  it.skipIf(noDisk)(
    `ends the import, which can be resumed when there is space${noDisk ? `: ${noDisk}` : ""}`,
    async () => {
      await using disk = await SmallDisk.mount(20);
      await using other = await startBoard({ DATA_DIR: join(disk.path, "data") });
      await other.make.user("Admin");
      await disk.fill(4_096);
      const report = await importInto(other, { from: site.url });
      expect(report).toMatchObject({ posts: { created: 0, failed: 0 }, remarks: [] });
      expect(report.stopped).toMatch(/^The database, disk or storage is unavailable \(.*\); try again later\.$/);
      await expectClean(other);
      await disk.empty();
      expect(await importInto(other, { from: site.url })).toMatchObject({ stopped: null, remarks: [] });
      await applyRelations(other);
      expect(await contentsOf(other.anonymous)).toEqual(await contentsOf(there.anonymous));
      await expectClean(other);
    },
  );
});

describe("a database that becomes unavailable", () => {
  it("ends the import, which can be resumed when it is back", async () => {
    await using proxy = await CutProxy.open(here.board.databaseUrl);
    await using other = await startBoard({ DATABASE_URL: proxy.url, DATA_DIR: here.board.config.dataDir });
    let cutting: Promise<void> | undefined;
    site.fault = (asked) => {
      if (asked.startsWith(FILES)) cutting ??= proxy.cut();
      return false;
    };
    const report = await importInto(other, { from: site.url });
    await cutting;
    expect(report.stopped).toMatch(/^The database, disk or storage is unavailable /);
    expect(report.tags.created).toBeGreaterThan(5);
    await proxy.open();
    expect(await importInto(other, { from: site.url })).toMatchObject({ stopped: null, remarks: [] });
    await expectWhole();
  });
});

describe("an incomplete login", () => {
  it("is refused before any request", async () => {
    await using other = await startBoard({ IMPORT_LOGIN: "mira" });
    await other.make.user("Admin");
    await expect(importInto(other, { from: site.url })).rejects.toThrow(
      "IMPORT_LOGIN and IMPORT_API_KEY belong together",
    );
    expect(site.asked).toEqual([]);
  });
});

describe("the command", () => {
  let output = "";
  /** `board import` as a process of its own, on the board's database and files. */
  function start(...args: string[]): ChildProcess {
    const { databaseUrl, config } = here.board;
    const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir };
    const child = spawn("node", ["dist/src/cli.js", "import", "--from-danbooru", site.url, ...args], { env });
    output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => process.stderr.write(chunk));
    return child;
  }
  const ended = async (child: ChildProcess): Promise<unknown> => (await once(child, "close"))[0];
  const brought = async (): Promise<number> => {
    const [row] = await query<{ count: number }>(
      here.board.databaseUrl,
      "SELECT count(*)::int AS count FROM import_records",
    );
    return row?.count ?? 0;
  };

  it("killed repeatedly resumes where it was and imports nothing twice", async () => {
    let kills = 0;
    for (let goal = 3; ; goal += 9) {
      const child = start("--rate", "1000");
      let isOver = false;
      const end = ended(child).then(() => (isOver = true));
      await expect.poll(async () => isOver || (await brought()) > goal, { interval: 5 }).toBe(true);
      if (isOver) break;
      child.kill("SIGKILL");
      await end;
      kills += 1;
      expect(await here.board.storageAudit.run(false)).toMatchObject({ missingOriginals: [] });
    }
    expect(kills).toBeGreaterThan(2);
    const before = await rowsOf(here.board.databaseUrl);
    expect(await ended(start("--rate", "1000"))).toBe(0);
    expect(await rowsOf(here.board.databaseUrl)).toEqual(before);
    await expectWhole();
  });

  it("ended by Ctrl-C finishes the current record, prints a summary, and resumes the next time", async () => {
    const child = start("--rate", "30");
    await expect.poll(() => site.asked.filter(({ path }) => path.startsWith(FILES)).length).toBeGreaterThan(1);
    child.kill("SIGINT");
    expect(await ended(child)).toBe(130);
    const first = JSON.parse(output) as { stopped: string; posts: { created: number; failed: number } };
    expect(first).toMatchObject({ stopped: "interrupted", posts: { failed: 0 } });
    expect(first.posts.created).toBeGreaterThan(0);
    await expectClean(here);
    expect(await ended(start("--rate", "1000"))).toBe(0);
    const second = JSON.parse(output) as typeof first;
    const all = (await contentsOf(there.anonymous)).posts?.length ?? 0;
    expect(first.posts.created + second.posts.created).toBe(all);
    await expectWhole();
  });

  it("exits with 1 when something could not be imported, and reports invalid options", async () => {
    site.fault = failing(FILES, Infinity, answering(404));
    expect(await ended(start("--rate", "1000", "--only", "posts", "--limit", "1"))).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ posts: { created: 0, failed: 1 } });
    for (const bad of [
      ["--only", "users"],
      ["--rate", "0"],
      ["--limit", "x"],
    ])
      expect(await ended(start(...bad))).toBe(1);
  });
});

// last, since the site has more posts from here on
describe("a site", () => {
  it("never sends the files of ten posts in a row: the next import continues after them", async () => {
    await importInto(here, { from: site.url, only: ["posts"] });
    const lost = new Set<string>();
    for (let more = 0; more < 10; more += 1) {
      const { id } = await there.make.post("lost");
      lost.add((await there.anonymous.get(`/posts/${id}.json`)).json.md5 as string);
    }
    await there.make.post("found");
    const answer = answering(503);
    site.fault = (path, response) => {
      const isLost = path.startsWith(FILES) && lost.has(path.slice(-36, -4));
      if (isLost) answer(response);
      return isLost;
    };
    const first = await importInto(here, { from: site.url, only: ["posts"] });
    expect(first.stopped).toMatch(/^10 files in a row could not be downloaded; /);
    const second = await importInto(here, { from: site.url, only: ["posts"] });
    expect(second).toMatchObject({ posts: { created: 1 }, stopped: null });
    expect((await here.anonymous.get("/posts.json", { tags: "found" })).json).toHaveLength(1);
  });
});
