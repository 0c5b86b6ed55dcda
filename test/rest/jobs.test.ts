/** Background jobs, seen from outside while a worker runs. Nothing here calls a task. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startJobs } from "../../src/runtime/jobs/queue.js";
import { tasks } from "../../src/operations/tasks.js";
import { verifyRows } from "../../src/operations/verify/verify.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { holdRow } from "../support/held-table.js";
import { approve, holdPost, statusOf, tagsOf, versionsOf } from "../support/jobs.js";
import { wrongCounts, wrongTagCounts } from "../support/traces.js";

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR);

let test: TestBoard;
let admin: TestUser;
beforeAll(async () => {
  test = await startBoard();
  admin = await test.make.user("Admin");
});
afterAll(() => test[Symbol.asyncDispose]());
afterEach(() => expectTrueCounts());

/** Of the posts of each tag, and of the tags of each post. */
const expectTrueCounts = async () => expect([await wrongCounts(test), await wrongTagCounts(test)]).toEqual([[], []]);

/** A worker beside the board, as a board with `JOBS=true` has it within. */
const startWorker = (): Promise<AsyncDisposable> =>
  startJobs(test.board.databaseUrl, tasks(test.board), test.board.log);

const jobsLeft = async (): Promise<number> => {
  const [row] = await test.board.database.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM graphile_worker.jobs`);
  return row?.count ?? -1;
};
/** Who works on which job since when. */
const lockedJobs = () =>
  test.board.database.query<object>(sql`
    SELECT id::int, locked_by, locked_at FROM graphile_worker.jobs WHERE locked_by IS NOT NULL`);
const posts = async (count: number, tags: string): Promise<number[]> => {
  const ids = [];
  for (let made = 0; made < count; made += 1) ids.push((await test.make.post(tags, {}, admin)).id);
  return ids;
};

describe("a board with JOBS=true", () => {
  let working: TestBoard;
  beforeAll(async () => {
    working = await startBoard({ DATABASE_URL: test.board.databaseUrl, JOBS: "true" });
  });
  afterAll(() => working[Symbol.asyncDispose]());

  it("replaces the tag of an approved alias on every post, once", async () => {
    const ids = await posts(3, "kitty grass");
    const id = await approve(admin, "Alias", "kitty", "cat");
    await expect.poll(() => statusOf(test, "Alias", id)).toBe("active");
    expect(await tagsOf(test, ids)).toEqual(ids.map(() => "cat grass lowres"));
    expect(await versionsOf(test, ids)).toEqual([2, 2, 2]);
  });

  it("adds the tag of an approved implication to every post, once", async () => {
    const ids = [...(await posts(2, "puppy grass")), ...(await posts(1, "puppy dog"))];
    const id = await approve(admin, "Implication", "puppy", "dog");
    await expect.poll(() => statusOf(test, "Implication", id)).toBe("active");
    expect(await tagsOf(test, ids)).toEqual(["dog grass lowres puppy", "dog grass lowres puppy", "dog lowres puppy"]);
    expect(await versionsOf(test, ids)).toEqual([2, 2, 1]);
  });

  it("recounts tags of posts when a tag changes its category", async () => {
    const [post = 0, edited = 0] = await posts(2, "painter grass");
    await admin.client.put(`/posts/${edited}.json`, { post: { tag_string: "artist:painter grass" } });
    const counts = async () => {
      const { json } = await test.anonymous.get(`/posts/${post}.json`);
      return [json.tag_count_general, json.tag_count_artist] as unknown;
    };
    await expect.poll(counts).toEqual([2, 1]);
  });

  it("recounts a post that is edited meanwhile by its new tags and their current categories", async () => {
    const [post = 0] = await posts(1, "sailor grass");
    const [other = 0] = await posts(1, "sailor harbour");
    const held = await holdRow(test.board.databaseUrl, "posts", post);
    const edit = admin.client.put(`/posts/${post}.json`, { post: { tag_string: "sailor grass harbour" } });
    await expect.poll(() => held.waiting()).toBe(1);
    await admin.client.put(`/posts/${other}.json`, { post: { tag_string: "artist:sailor harbour" } });
    await expect.poll(() => held.waiting()).toBe(2); // the job for the one tag, behind the edit
    await admin.client.put(`/posts/${other}.json`, { post: { tag_string: "sailor artist:harbour" } });
    await expect.poll(jobsLeft).toBe(1); // that for the other tag is done
    await held[Symbol.asyncDispose]();
    expect((await edit).json).toMatchObject({ tag_count_general: 2, tag_count_artist: 2 });
    await expect.poll(jobsLeft).toBe(0);
  });

  it("leaves nothing in the queue", async () => {
    await expect.poll(jobsLeft).toBe(0);
  });
});

describe("the hourly tasks", () => {
  const isDeleted = async (id: number) => (await test.anonymous.get(`/posts/${id}.json`)).json.is_deleted as boolean;
  const isBanned = async (id: number) => (await test.anonymous.get(`/users/${id}.json`)).json.is_banned as boolean;

  /** A worker that was down for a day: as far as the queue knows, it ran the hourly tasks a day ago. */
  async function startWorkerAfterADay(): Promise<AsyncDisposable> {
    const { database } = test.board;
    await (await startWorker())[Symbol.asyncDispose]();
    const day = ago(24);
    await database.execute(sql`
      UPDATE graphile_worker._private_known_crontabs SET known_since = ${day}, last_execution = ${day}`);
    return startWorker();
  }

  it("are caught up by a worker that was down: old pending and flagged posts are deleted, expired bans end", async () => {
    const { database } = test.board;
    const [pending = 0, flagged = 0, young = 0] = await posts(3, "waiting");
    const [over, lasting] = [await test.make.user(), await test.make.user()];
    await database.post.update({ where: { id: pending }, data: { isPending: true, createdAt: ago(73) } });
    await database.post.update({ where: { id: flagged }, data: { isFlagged: true } });
    const flag = { postId: flagged, creatorId: over.id, reason: "A boat.", createdAt: ago(73) };
    await database.postFlag.create({ data: flag });
    await database.post.update({ where: { id: young }, data: { isPending: true, createdAt: ago(71) } });
    for (const [user, expiresAt] of [[over, ago(1)] as const, [lasting, ago(-1)] as const]) {
      await database.user.update({ where: { id: user.id }, data: { isBanned: true } });
      await database.ban.create({ data: { userId: user.id, bannerId: admin.id, reason: "Piracy.", expiresAt } });
    }
    await using _worker = await startWorkerAfterADay();
    await expect.poll(() => Promise.all([pending, flagged].map(isDeleted))).toEqual([true, true]);
    const stillBanned = () => database.user.count({ where: { id: over.id, isBanned: true } }); // the API says of itself that it is over
    await expect.poll(stillBanned).toBe(0);
    await expect.poll(jobsLeft).toBe(0);
    expect([await isDeleted(young), await isBanned(lasting.id)]).toEqual([false, true]);
    const { json } = await test.anonymous.get("/mod_actions.json", { search: { category: "post_delete" } });
    expect((json as { subject_id: number }[]).map((action) => action.subject_id)).toEqual([flagged, pending]);
  });
});

describe("a worker that stops in the middle of an alias", () => {
  it("leaves the rest of the posts to the next one, which retags them once", async () => {
    const ids = await posts(6, "boat sea");
    const worker = await startWorker();
    await using held = await holdPost(test.board.databaseUrl, ids[3] ?? 0);
    const id = await approve(admin, "Alias", "boat", "ship");
    await expect.poll(() => held.isWanted()).toBe(true); // the worker is at the fourth post
    expect(await versionsOf(test, ids)).toEqual([2, 2, 2, 1, 1, 1]);
    const ended = worker[Symbol.asyncDispose]();
    await held[Symbol.asyncDispose]();
    await ended;
    expect(await versionsOf(test, ids)).toEqual([2, 2, 2, 2, 1, 1]);
    expect([await statusOf(test, "Alias", id), await jobsLeft()]).toEqual(["processing", 1]);

    await using _next = await startWorker();
    await expect.poll(() => statusOf(test, "Alias", id)).toBe("active");
    expect(await tagsOf(test, ids)).toEqual(ids.map(() => "lowres sea ship"));
    expect(await versionsOf(test, ids)).toEqual([2, 2, 2, 2, 2, 2]);
    await expect.poll(jobsLeft).toBe(0);
  });
});

describe("an alias that is deleted while it is applied", () => {
  it("stays deleted", async () => {
    const ids = await posts(2, "raft sea");
    await using _worker = await startWorker();
    await using held = await holdPost(test.board.databaseUrl, ids[1] ?? 0);
    const id = await approve(admin, "Alias", "raft", "float");
    await expect.poll(() => held.isWanted()).toBe(true);
    await admin.client.graphql(`mutation { deleteTagAlias(input: { id: ${id} }) { tagAlias { status } } }`);
    expect(await statusOf(test, "Alias", id)).toBe("deleted");
    await held[Symbol.asyncDispose]();
    await expect.poll(jobsLeft).toBe(0);
    expect(await statusOf(test, "Alias", id)).toBe("deleted");
  });
});

describe("an alias that is deleted while its last post is edited", () => {
  it("leaves the wiki page and the artist their name", async () => {
    const [post = 0] = await posts(1, "canoe sea");
    await admin.client.post("/wiki_pages.json", { wiki_page: { title: "canoe", body: "A boat." } });
    await admin.client.post("/artists.json", { artist: { name: "canoe" } });
    await using _worker = await startWorker();
    await using held = await holdPost(test.board.databaseUrl, post);
    const id = await approve(admin, "Alias", "canoe", "kayak");
    await expect.poll(() => held.isWanted()).toBe(true);
    await admin.client.graphql(`mutation { deleteTagAlias(input: { id: ${id} }) { tagAlias { status } } }`);
    await held[Symbol.asyncDispose]();
    await expect.poll(jobsLeft).toBe(0);
    expect((await test.anonymous.get("/wiki_pages/canoe.json")).status).toBe(200);
    expect((await test.anonymous.get("/artists.json", { search: { name: "canoe" } })).json).toHaveLength(1);
  });
});

/** Deletes an alias while its worker waits for a post, stops the worker there, and has another one finish the job. */
async function deleteAndStop(id: number, worker: AsyncDisposable, hold: AsyncDisposable): Promise<void> {
  await admin.client.graphql(`mutation { deleteTagAlias(input: { id: ${id} }) { tagAlias { status } } }`);
  const ended = worker[Symbol.asyncDispose]();
  await hold[Symbol.asyncDispose]();
  await ended;
  await using _next = await startWorker();
  await expect.poll(jobsLeft).toBe(0);
}

describe("an alias that is deleted, and whose worker stops, while it is applied", () => {
  it("leaves no post without the tags that its consequent implies since it was applied", async () => {
    const [post = 0] = await posts(1, "skiff sea");
    const names = { antecedentName: "dinghy", consequentName: "hull" };
    await test.board.database.tagImplication.create({ data: { ...names, creatorId: admin.id, status: "active" } });
    const [held = 0] = await posts(1, "dinghy sea");
    const worker = await startWorker();
    await using hold = await holdPost(test.board.databaseUrl, held);
    const id = await approve(admin, "Alias", "dinghy", "skiff");
    await expect.poll(() => hold.isWanted()).toBe(true);
    await deleteAndStop(id, worker, hold);
    expect(await tagsOf(test, [post])).toEqual(["hull lowres sea skiff"]);
    expect(await statusOf(test, "Alias", id)).toBe("deleted");
  });
});

describe("an alias whose antecedent is implied, while it is applied", () => {
  it("is no fault for a check of the board, and leaves no post without its consequent, also if it is deleted and its worker stops", async () => {
    const names = { antecedentName: "gondola", consequentName: "punt" };
    await test.board.database.tagImplication.create({ data: { ...names, creatorId: admin.id, status: "active" } });
    const [held = 0, post = 0] = await posts(2, "gondola sea");
    const worker = await startWorker();
    await using hold = await holdPost(test.board.databaseUrl, held);
    const id = await approve(admin, "Alias", "punt", "barge");
    await expect.poll(() => hold.isWanted()).toBe(true);
    const faults = async () => (await verifyRows(test.board.databaseUrl)).map(({ name }) => name);
    expect(await faults()).not.toContain("posts.tags");
    await deleteAndStop(id, worker, hold);
    expect(await tagsOf(test, [post])).toEqual(["barge gondola lowres punt sea"]);
    expect(await faults()).not.toContain("posts.tags");
  });
});

describe("a worker that starts in the middle of an alias", () => {
  it("leaves the job to the worker that runs it", async () => {
    const ids = await posts(4, "oar sea");
    await using _worker = await startWorker();
    await using held = await holdPost(test.board.databaseUrl, ids[1] ?? 0);
    const id = await approve(admin, "Alias", "oar", "paddle");
    await expect.poll(() => held.isWanted()).toBe(true);
    expect(await versionsOf(test, ids)).toEqual([2, 1, 1, 1]);
    const [before] = await lockedJobs();
    await using _other = await startWorker();
    expect(await lockedJobs()).toEqual([before]);
    await held[Symbol.asyncDispose]();
    await expect.poll(() => statusOf(test, "Alias", id)).toBe("active");
    expect(await versionsOf(test, ids)).toEqual([2, 2, 2, 2]);
  });
});
