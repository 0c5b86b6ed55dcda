/** Changes of posts by the board itself: in the hourly job, and by command. */
import { parseCrontab } from "graphile-worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCHEDULE } from "../../src/runtime/jobs/queue.js";
import { tasks } from "../../src/operations/tasks.js";
import { expirePosts } from "../../src/resources/posts/post.expiry.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { runBoardCommand } from "../support/command.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR);
const row = (id: number) => test.board.database.post.findUniqueOrThrow({ where: { id } });
const flagsOf = async (id: number) =>
  (await test.board.database.postFlag.findMany({ where: { postId: id }, orderBy: { id: "asc" } })).map((flag) => [
    flag.reason,
    flag.creatorId,
    flag.isDeletion,
  ]);
const post = async (state: Record<string, unknown>): Promise<number> => {
  const { id } = await test.make.post();
  await test.board.database.post.update({ where: { id }, data: state });
  return id;
};
const flagged = async (hours: number, flag: Record<string, unknown> = {}): Promise<number> => {
  const id = await post({ isFlagged: true, createdAt: ago(1000) });
  const { id: creatorId } = await test.make.user();
  await test.board.database.postFlag.create({
    data: { postId: id, creatorId, reason: "x", createdAt: ago(hours), ...flag },
  });
  return id;
};

describe("the hourly expiry", () => {
  it("deletes posts that were pending for over three days", async () => {
    const old = await post({ isPending: true, createdAt: ago(73) });
    const young = await post({ isPending: true, createdAt: ago(71) });
    const locked = await post({ isPending: true, createdAt: ago(73), isStatusLocked: true });
    const active = await post({ createdAt: ago(73) });
    expect(await expirePosts(test.board)).toEqual([old]);
    expect(await row(old)).toMatchObject({ isPending: false, isDeleted: true });
    expect(await flagsOf(old)).toEqual([["Unapproved in three days", null, true]]);
    for (const id of [young, locked, active]) expect((await row(id)).isDeleted).toBe(false);
    const { json } = await test.anonymous.get("/mod_actions.json", { search: { subject_id: old } });
    expect(json).toMatchObject([{ category: "post_delete", creator_id: null, creator_name: null }]);
    const { json: flags } = await test.anonymous.get("/post_flags.json", { search: { category: "unapproved" } });
    expect(flags).toMatchObject([{ post_id: old, status: "succeeded", is_deletion: true }]);
  });

  it("deletes posts with an unresolved flag older than three days", async () => {
    const old = await flagged(73);
    const young = await flagged(71);
    const resolved = await flagged(73, { isResolved: true });
    expect(await expirePosts(test.board)).toEqual([old]);
    const reason = "Unapproved in three days after returning to moderation queue";
    expect((await flagsOf(old))[1]).toEqual([reason, null, true]);
    for (const id of [young, resolved]) expect((await row(id)).isFlagged).toBe(true);
  });

  it("updates the parent, and does nothing when it runs again", async () => {
    const parent = await post({});
    const child = await test.make.post("x", { parent_id: parent });
    await test.board.database.post.update({ where: { id: child.id }, data: { isPending: true, createdAt: ago(80) } });
    await expirePosts(test.board);
    expect(await row(parent)).toMatchObject({ hasChildren: true, hasActiveChildren: false });
    expect(await expirePosts(test.board)).toEqual([]);
  });

  it("handles any number of batches", async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push(await post({ isPending: true, createdAt: ago(73) }));
    expect(await expirePosts(test.board, { batch: 2 })).toEqual(ids);
  });

  it("uses the given time", async () => {
    const id = await post({ isPending: true });
    expect(await expirePosts(test.board, { now: new Date(Date.now() + 73 * HOUR) })).toContain(id);
  });

  it.each([
    ["pending", () => post({ isPending: true, createdAt: new Date(0) })],
    ["flagged", () => flagged(0, { createdAt: new Date(0) })],
  ])("leaves a post that was %s for three days, and deletes it a moment later", async (_, make) => {
    const id = await make();
    const end = 72 * HOUR;
    expect(await expirePosts(test.board, { now: new Date(end) })).toEqual([]);
    expect(await expirePosts(test.board, { now: new Date(end + 1) })).toEqual([id]);
  });

  it("leaves the posts to the next one when the process stops", async () => {
    const id = await post({ isPending: true, createdAt: ago(73) });
    const job = { attempts: 1, maxAttempts: 1 };
    await tasks(test.board).expire_posts?.({}, { ...job, stopping: AbortSignal.abort() });
    expect((await row(id)).isDeleted).toBe(false);
    await tasks(test.board).expire_posts?.({}, { ...job, stopping: new AbortController().signal });
    expect((await row(id)).isDeleted).toBe(true);
  });
});

describe("the schedule", () => {
  const scheduled = parseCrontab(SCHEDULE);

  it("has tasks that exist", () => {
    expect(Object.keys(tasks(test.board))).toEqual(expect.arrayContaining(scheduled.map(({ task }) => task)));
  });

  it("queues no task twice, runs those that may take hours one at a time, and catches up on those that were missed", () => {
    const options = scheduled.map(({ task, options: { jobKey, queueName, backfillPeriod } }) => [
      task,
      jobKey,
      queueName ?? "any",
      backfillPeriod,
    ]);
    expect(options).toEqual([
      ["expire_posts", "expire_posts", "any", HOUR],
      ["lift_bans", "lift_bans", "any", HOUR],
      ["sweep_limits", "sweep_limits", "any", 0],
      ["make_thumbnails", "make_thumbnails", "make_thumbnails", 0],
      ["make_postings", "make_postings", "make_postings", 0],
      ["sweep_sessions", "sweep_sessions", "any", 24 * HOUR],
    ]);
  });
});

describe("board post", () => {
  const board = (...words: string[]) => runBoardCommand(test.board, ["post", ...words]);
  const answer = async (...words: string[]) => JSON.parse((await board(...words)).stdout) as unknown;
  const state = { is_pending: false, is_flagged: false, is_deleted: false, is_status_locked: false };
  const locks = { is_note_locked: false, is_rating_locked: false };

  it("approves, locks and deletes as the board itself", { timeout: 60_000 }, async () => {
    const id = await post({ isPending: true });
    expect(await answer("approve", String(id))).toEqual({ id, ...state, ...locks });
    expect((await row(id)).approverId).toBeNull();
    const locked = { is_note_locked: true, is_rating_locked: true };
    expect(await answer("lock", String(id))).toEqual({ id, ...state, ...locked });
    expect(await answer("delete", String(id), "off topic")).toEqual({ id, ...state, ...locked, is_deleted: true });
    expect(await flagsOf(id)).toEqual([["off topic", null, true]]);
    const { json } = await test.anonymous.get("/mod_actions.json", { search: { subject_id: id } });
    expect((json as Record<string, unknown>[]).map((each) => [each.category, each.creator_id])).toEqual([
      ["post_delete", null],
      ["post_lock", null],
      ["post_approve", null],
    ]);
  });

  it("reports errors in one sentence", { timeout: 60_000 }, async () => {
    expect(await board("approve", "999999")).toEqual({ code: 1, stdout: "", stderr: "not found\n" });
    expect(await board("lock", "first")).toMatchObject({ code: 1, stdout: "" });
  });
});
