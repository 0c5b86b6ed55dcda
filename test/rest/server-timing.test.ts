/** The database time of a request in `Server-Timing`, only if configured. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";

let silent: TestBoard;
let telling: TestBoard;
beforeAll(async () => {
  silent = await startBoard();
  telling = await startBoard({ SERVER_TIMING: "true" });
});
afterAll(async () => {
  await silent[Symbol.asyncDispose]();
  await telling[Symbol.asyncDispose]();
});

const databaseTime = async (test: TestBoard, path: string): Promise<string | null> =>
  (await test.anonymous.get(path)).headers.get("server-timing");

const milliseconds = (header: string | null): number => Number(/^db;dur=(\d+\.\d{3})$/.exec(header ?? "")?.[1]);

describe("SERVER_TIMING", () => {
  it("is off by default", async () => {
    expect(await databaseTime(silent, "/posts.json")).toBeNull();
  });

  it("reports the milliseconds of all statements of a request, including refused ones", async () => {
    expect(milliseconds(await databaseTime(telling, "/posts.json?tags=one_tag"))).toBeGreaterThan(0);
    expect(milliseconds(await databaseTime(telling, "/posts/1.json"))).toBeGreaterThan(0);
  });

  it("reports 0 for a request without statements", async () => {
    expect(await databaseTime(telling, "/nowhere")).toBe("db;dur=0.000");
  });

  it("counts statements that end by a callback, like those of the pool", async () => {
    expect(milliseconds(await databaseTime(telling, "/readyz"))).toBeGreaterThan(0);
  });
});
