/** Requests that do not wait for the answer to the one before: a few are answered, thousands are nobody's work. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { get, RawClient } from "../support/raw-client.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard({ MAX_REQUESTS: "32" });
});
afterAll(() => test[Symbol.asyncDispose]());

const answersOf = ({ received }: RawClient): number => received.split("HTTP/1.1 200 OK").length - 1;

describe("connections on which requests follow each other", () => {
  it("are answered in order, as many requests as 16 at once, and again", async () => {
    using client = await RawClient.connect(test.url);
    for (const times of [16, 32]) {
      client.say(`${get("/posts.json")}${get("/tags.json")}`.repeat(8));
      await expect.poll(() => answersOf(client)).toBe(times);
    }
    expect(client.isClosed).toBe(false);
  });

  it.each(["/posts.json", "/tags.json"])(
    "are closed with more than 16 unanswered, and the others are served: %s",
    async (path) => {
      const before = test.log.length;
      const crowd = await RawClient.crowd(test.url, 1, get(path).repeat(2_000));
      const statuses = await Promise.all(
        Array.from({ length: 10 }, async () => (await test.anonymous.get("/posts.json")).status),
      );
      expect(statuses).toEqual(Array<number>(10).fill(200));
      for (const client of crowd) await expect.poll(() => client.isClosed).toBe(true);
      expect(test.log.length - before).toBeLessThan(100);
    },
  );
});
