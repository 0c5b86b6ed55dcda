/** The number by which processes notice changes of tag names. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

it("the generation is never reused for other names, not even after a failover that lost the last change", async () => {
  const { database } = test.board;
  const { id } = await test.make.post("harbour lighthouse");
  const shown = async () => (await test.anonymous.get(`/posts/${id}.json`)).json.tag_string as string;
  const rename = (from: string, to: string) => database.tag.update({ where: { name: from }, data: { name: to } });
  const before = await database.tagGeneration.findUniqueOrThrow({ where: { id: 1 } });
  await rename("harbour", "bay");
  expect(await shown()).toBe("bay lighthouse lowres");

  await database.execute(sql`ALTER TABLE tags DISABLE TRIGGER USER`);
  await rename("bay", "harbour");
  await database.tagGeneration.update({ where: { id: 1 }, data: before });
  await database.execute(sql`ALTER TABLE tags ENABLE TRIGGER USER`);
  expect(await shown()).toBe("harbour lighthouse lowres");
  await sleep(1_000); // a failover takes longer
  await rename("lighthouse", "beacon");
  expect(await shown()).toBe("beacon harbour lowres");
});

it("the generation follows a database that went back in time, once no older statement can be running", () => {
  const { tagCache } = test.board;
  const newest = tagCache.known;
  tagCache.learn(newest - 1);
  expect(tagCache.known).toBe(newest);
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  tagCache.learn(newest - 1);
  clock.mockRestore();
  expect(tagCache.known).toBe(newest - 1);
});
