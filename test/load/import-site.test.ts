/** `board import` from a running site: another board, through its REST interface. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesIn, query, rowsOf } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { applyRelations, contentsOf, expectClean, fillSource, importInto } from "../support/imports.js";

let there: TestBoard;
let here: TestBoard;
let owner: TestUser;
beforeAll(async () => {
  there = await startBoard();
  await fillSource(there);
  here = await startBoard();
  owner = await here.make.user("Admin");
});
afterAll(async () => {
  await there[Symbol.asyncDispose]();
  await here[Symbol.asyncDispose]();
});

const tally = (created: number, others = {}) => ({ created, existing: 0, completed: 0, failed: 0, ...others });

/** Of posts, tags and so on, what the site lists for visitors. */
async function counts(): Promise<Record<string, number>> {
  const contents = await contentsOf(there.anonymous);
  return Object.fromEntries(Object.entries(contents).map(([name, rows]) => [name, rows.length]));
}

describe("an import into an empty board", () => {
  it("reports in a dry run what it would import, and writes nothing", async () => {
    const before = await rowsOf(here.board.databaseUrl);
    const { posts, pools, tags, wiki_pages: pages } = await counts();
    expect(await importInto(here, { from: there.url, dryRun: true })).toMatchObject({
      source: there.url,
      dryRun: true,
      tags: tally(tags ?? 0),
      posts: tally(posts ?? 0),
      pools: tally(pools ?? 0),
      wiki_pages: tally(pages ?? 0),
      stopped: null,
    });
    expect(await rowsOf(here.board.databaseUrl)).toEqual(before);
    expect(await filesIn(here.board.config.mediaDir)).toEqual({});
  });

  it("imports all posts, tags, pools, notes, wiki pages, aliases and implications unchanged", async () => {
    const { posts, pools, notes, tags, wiki_pages: pages } = await counts();
    expect(await importInto(here, { from: `${there.url}/` })).toEqual({
      source: there.url,
      dryRun: false,
      tags: tally(tags ?? 0),
      posts: tally(posts ?? 0),
      pools: tally(pools ?? 0),
      notes: tally(notes ?? 0),
      wiki_pages: tally(pages ?? 0),
      tag_aliases: tally(1),
      tag_implications: tally(1),
      parents: 1,
      parentsMissing: 0,
      stopped: null,
      remarkCount: 0,
      remarks: [],
    });
    await applyRelations(here);
    expect(await contentsOf(here.anonymous)).toEqual(await contentsOf(there.anonymous));
    expect(await filesIn(here.board.config.mediaDir)).toEqual(await filesIn(there.board.config.mediaDir));
    await expectClean(here);
  });

  it("belongs to the first Admin, updates their counters, and is a mod action", async () => {
    const [row] = await query(
      here.board.databaseUrl,
      `SELECT count(*)::int AS posts, count(*) FILTER (WHERE uploader_id = ${owner.id})::int AS own FROM posts`,
    );
    expect(row?.own).toBe(row?.posts);
    const profile = await owner.client.get("/profile.json");
    expect(profile.json).toMatchObject({ post_upload_count: row?.posts });
    const flags = await owner.client.get("/post_flags.json");
    expect(flags.json).toMatchObject([{ reason: `deleted at ${there.url}`, is_deletion: true }]);
  });

  it("changes nothing when it is run again", async () => {
    const before = await rowsOf(here.board.databaseUrl);
    const again = await importInto(here, { from: there.url });
    expect(again).toMatchObject({ posts: tally(0), tags: tally(0), notes: tally(0), parents: 0, stopped: null });
    expect(await rowsOf(here.board.databaseUrl)).toEqual(before);
  });

  it("imports later additions, and keeps edits made here", async () => {
    const [edited] = (await here.anonymous.get("/posts.json", { tags: "tide" })).json as { id: number }[];
    await owner.client.put(`/posts/${edited?.id}.json`, { post: { tag_string: "edited_here" } });
    const { md5 } = await there.make.post("newcomer sea");
    expect(await importInto(here, { from: there.url })).toMatchObject({ posts: tally(1), tags: tally(1) });
    const found = await here.anonymous.get("/posts.json", { tags: "newcomer" });
    expect(found.json).toMatchObject([{ md5, tag_string: "lowres newcomer sea" }]);
    const left = await here.anonymous.get("/posts.json", { tags: "edited_here" });
    expect(left.json).toMatchObject([{ id: edited?.id }]);
    await expectClean(here);
  });
});

describe("an import into a board with some of the records", () => {
  it("keeps existing posts, pools, pages and tags, and attaches the rest to them", async () => {
    await using other = await startBoard();
    const keeper = await other.make.user("Admin");
    const [still] = (await there.anonymous.get("/posts.json", { tags: "sea_gull" })).json as Record<string, string>[];
    const file = await (await fetch(still?.file_url ?? "")).blob();
    const mine = await other.make.post("mine char:mira", { file, rating: "s", source: "" }, keeper);
    const pool = { name: "GULLS", description: "Mine." };
    await keeper.client.post("/pools.json", { pool });
    await keeper.client.post("/wiki_pages.json", { wiki_page: { title: "sea", body: "Mine." } });
    const report = await importInto(other, { from: there.url, as: keeper.name });
    expect(report).toMatchObject({
      posts: { existing: 1, failed: 0 },
      pools: { existing: 1 },
      wiki_pages: { existing: 1 },
    });

    const post = (await other.anonymous.get(`/posts/${mine.id}.json`)).json as Record<string, unknown>;
    expect(post).toMatchObject({
      md5: still?.md5,
      tag_string: "lowres mine mira",
      rating: "s",
      source: "",
      parent_id: null,
    });
    const notes = await other.anonymous.get("/notes.json", { search: { post_id: mine.id } });
    expect(notes.json).toMatchObject([{ body: 'Über "alles" <b>🌊</b>' }]);
    const pools = await other.anonymous.get("/pools.json", { search: { name: "Tides_&_shells" } });
    expect((pools.json as { post_ids: number[] }[])[0]?.post_ids[1]).toBe(mine.id);
    const kept = await other.anonymous.get("/pools.json", { search: { name: "gulls" } });
    expect(kept.json).toMatchObject([{ name: "GULLS", description: "Mine.", post_ids: [] }]);
    expect((await other.anonymous.get("/wiki_pages/sea.json")).json).toMatchObject({ body: "Mine." });
    const tag = await other.anonymous.get("/tags.json", { search: { name: "mira" } });
    expect(tag.json).toMatchObject([{ category: 4 }]);
    await expectClean(other);
  });

  it("--keep-ids: posts keep their ids, new ones follow, and posts whose id is taken are reported", async () => {
    await using other = await startBoard();
    const keeper = await other.make.user("Admin");
    const [newest] = (await there.anonymous.get("/posts.json", { tags: "status:any", limit: 1 })).json as {
      id: number;
    }[];
    const taken = await other.make.post("mine", {}, keeper);
    const report = await importInto(other, { from: there.url, only: ["posts"], keepIds: true });
    expect(report).toMatchObject({ posts: { failed: 1 } });
    expect(report.remarks).toEqual([{ kind: "posts", id: taken.id, reason: "id is already taken" }]);
    const ids = async (board: TestBoard) =>
      ((await board.anonymous.get("/posts.json", { tags: "status:any" })).json as { id: number; md5: string }[])
        .filter(({ id }) => id !== taken.id)
        .map(({ id, md5 }) => [id, md5]);
    expect(await ids(other)).toEqual(await ids(there));
    expect((await other.make.post("next", {}, keeper)).id).toBe((newest?.id ?? 0) + 1);
    await expectClean(other);
  });

  it("--only and --limit import a part, and later runs the rest", async () => {
    await using other = await startBoard();
    await other.make.user("Admin");
    const first = await importInto(other, { from: there.url, only: ["posts", "pools"], limit: 2 });
    expect(first).toMatchObject({ posts: tally(2), pools: { failed: 0 } });
    expect(first.tags).toBeUndefined();
    await expectClean(other);
    await importInto(other, { from: there.url, only: ["pools"], limit: 2 });
    const rest = await importInto(other, { from: there.url });
    expect(rest).toMatchObject({ posts: { failed: 0 }, pools: { failed: 0 }, stopped: null });
    await applyRelations(other);
    expect(await contentsOf(other.anonymous)).toEqual(await contentsOf(there.anonymous));
    await expectClean(other);
  });
});

describe("repeated and concurrent imports", () => {
  it("of the same source at the same time do the work once, in the name of an account of any level", async () => {
    await using other = await startBoard();
    const member = await other.make.user("Member");
    const options = { from: there.url, as: member.name };
    const reports = await Promise.all([importInto(other, options), importInto(other, options)]);
    const made = (kind: string) => reports.reduce((sum, report) => sum + Number(report[kind].created), 0);
    const all = await counts();
    for (const kind of ["posts", "pools", "notes", "wiki_pages"]) expect([kind, made(kind)]).toEqual([kind, all[kind]]);
    expect(reports).toMatchObject([
      { stopped: null, remarks: [] },
      { stopped: null, remarks: [] },
    ]);
    await applyRelations(other);
    expect(await contentsOf(other.anonymous)).toEqual(await contentsOf(there.anonymous));
    await expectClean(other);
  });

  it("do not restore removed records, nor import records again after a rename", async () => {
    await using other = await startBoard();
    const keeper = await other.make.user("Admin");
    await importInto(other, { from: there.url });
    const [gone] = (await other.anonymous.get("/posts.json", { tags: "tide" })).json as { id: number }[];
    await keeper.client.graphql(`mutation { expungePost(input: { id: ${gone?.id} }) { postId } }`);
    expect(await importInto(other, { from: there.url })).toMatchObject({ posts: tally(0) });
    const all = await counts();
    const renamed = await importInto(other, { from: there.url, source: "the old board" });
    const existing = { created: 0, failed: 0 };
    expect(renamed).toMatchObject({
      source: "the old board",
      posts: { created: 1, existing: (all.posts ?? 0) - 1 },
      tags: { ...existing, existing: all.tags },
      pools: { ...existing, existing: all.pools },
      notes: { ...existing, existing: all.notes },
      wiki_pages: { ...existing, existing: all.wiki_pages },
      tag_aliases: { ...existing, existing: 1 },
    });
    await expectClean(other);
  });

  it("add later posts to pools, unless somebody has changed the posts of the pool", async () => {
    await using other = await startBoard();
    const keeper = await other.make.user("Admin");
    const part = (kinds: ("posts" | "pools")[], limit?: number) =>
      importInto(other, { from: there.url, only: kinds, limit });
    const all = (await counts()).posts ?? 0;
    await part(["posts"], all - 3); // numbers go up, so that the posts of the last pools lack
    await part(["pools"]);
    const poolOf = async (name: string) =>
      (
        (await other.anonymous.get("/pools.json", { search: { name } })).json as { id: number; post_ids: number[] }[]
      )[0];
    const [series, changed] = [await poolOf("Tides_&_shells"), await poolOf("gulls")];
    const stranger = await other.make.post("mine", {}, keeper);
    const posts = { pool: { post_ids: [stranger.id] } };
    expect((await keeper.client.put(`/pools/${changed?.id}.json`, posts)).status).toBe(200);
    await part(["posts"]);
    await part(["pools"]);
    expect((await poolOf("Tides_&_shells"))?.post_ids.length).toBeGreaterThan(series?.post_ids.length ?? 0);
    expect((await poolOf("gulls"))?.post_ids).toEqual([stranger.id]);
    await expectClean(other);
  });
});

describe("refusals of an import", () => {
  const cases: [string, Parameters<typeof importInto>[1], string][] = [
    ["an account that is not there", { from: "http://127.0.0.1:1", as: "nobody" }, "There is no account nobody."],
    ["credentials in the address", { from: "http://a:b@example.com" }, "Credentials belong in IMPORT_LOGIN"],
    ["files in a folder that is not there", { from: "/tmp", files: "/nowhere" }, "/nowhere is not a folder."],
    ["a dump that is not there", { from: "/nowhere/dump" }, "The folder /nowhere/dump can't be read (ENOENT)."],
  ];
  it.each(cases)("%s", async (_, options, sentence) => {
    await expect(importInto(here, options)).rejects.toThrow(sentence);
  });
});
