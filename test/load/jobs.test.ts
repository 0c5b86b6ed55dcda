/** The built server is killed in the middle of a background job: the next one continues it, and no post is processed twice. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { approve, holdPost, type Kind, statusOf, tagsOf, versionsOf } from "../support/jobs.js";
import { ServerProcess } from "../support/server-process.js";
import { wrongCounts, wrongTagCounts } from "../support/traces.js";

const POSTS = 8;

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

/** A server on the board's database, with a worker in it. */
const startServer = () => ServerProcess.start(undefined, { DATABASE_URL: test.board.databaseUrl, LOG_LEVEL: "warn" });

describe("kill -9 in the middle of retagging", () => {
  it.each<[Kind, string, string, string]>([
    ["Implication", "kitten", "cat", "cat kitten lowres"],
    ["Alias", "boat", "ship", "lowres ship"],
  ])(
    "for an approved %s: the next server does the rest, each post once",
    { timeout: 120_000 },
    async (kind, antecedent, consequent, after) => {
      const admin = await test.make.user("Admin");
      const ids: number[] = [];
      for (let count = 0; count < POSTS; count += 1) ids.push((await test.make.post(antecedent, {}, admin)).id);
      const [done, left] = [3, POSTS - 3];
      await using killed = await startServer();
      await using held = await holdPost(test.board.databaseUrl, ids[done] ?? 0);
      const id = await approve(admin, kind, antecedent, consequent);
      const half = [...Array<number>(done).fill(2), ...Array<number>(left).fill(1)];
      await expect.poll(() => held.isWanted(), { timeout: 20_000 }).toBe(true);
      expect(await versionsOf(test, ids)).toEqual(half);
      await killed.end("SIGKILL");
      await held[Symbol.asyncDispose]();
      expect([await versionsOf(test, ids), await statusOf(test, kind, id)]).toEqual([half, "processing"]);

      await using _next = await startServer();
      await expect.poll(() => statusOf(test, kind, id), { timeout: 20_000 }).toBe("active");
      expect(await tagsOf(test, ids)).toEqual(ids.map(() => after));
      expect(await versionsOf(test, ids)).toEqual(ids.map(() => 2));
      expect([await wrongCounts(test), await wrongTagCounts(test)]).toEqual([[], []]);
    },
  );
});
