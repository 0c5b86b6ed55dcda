/** The job after the change of a tag's category. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { tasks } from "../../src/operations/tasks.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { copyPost } from "../support/copies.js";
import { holdRow, PATIENCE } from "../support/held-table.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard(PATIENCE);
});
afterAll(() => test[Symbol.asyncDispose]());

describe("the job recount_tag_category", () => {
  it("locks few posts while it waits for one, and leaves the rest to another job when it is stopped", async () => {
    const { database, databaseUrl } = test.board;
    const { id } = await test.make.post("harbour");
    const copies = await copyPost(test, id, 400);
    const tag = await database.tag.update({ where: { name: "harbour" }, data: { category: 3 } });
    const counted = () => database.post.count({ where: { tagCountCopyright: 1 } });
    const job = { attempts: 1, maxAttempts: 1 };
    const recount = (stopping: AbortSignal) =>
      tasks(test.board).recount_tag_category?.({ tagId: tag.id }, { ...job, stopping });

    await using held = await holdRow(databaseUrl, "posts", copies[300] ?? 0);
    const done = recount(new AbortController().signal);
    await expect.poll(() => held.waiting()).toBe(1);
    const other = new pg.Client({ connectionString: databaseUrl });
    await other.connect();
    const { rowCount } = await other.query("SELECT FROM posts WHERE id = $1 FOR UPDATE SKIP LOCKED", [copies[200]]);
    await other.end();
    expect([rowCount, await counted()]).toEqual([1, 300]);
    await held[Symbol.asyncDispose]();
    await done;
    expect(await counted()).toBe(401);

    await recount(AbortSignal.abort());
    const queued = await database.query<object>(sql`SELECT key FROM graphile_worker.jobs`);
    expect(queued).toEqual([{ key: `recount_tag_category:${tag.id}` }]);
  });
});
