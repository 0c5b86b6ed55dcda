/** Pipelined requests: a few are answered, thousands take no work. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boundPipelining } from "../../src/http/turns.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { get, RawClient } from "../support/raw-client.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard({ MAX_REQUESTS: "32" });
});
afterAll(() => test[Symbol.asyncDispose]());

const answersOf = ({ received }: RawClient): number => received.split("HTTP/1.1 200 OK").length - 1;

describe("pipelined connections", () => {
  it("answer up to 16 requests at once in order, repeatedly", async () => {
    using client = await RawClient.connect(test.url);
    for (const times of [16, 32]) {
      client.say(`${get("/posts.json")}${get("/tags.json")}`.repeat(8));
      await expect.poll(() => answersOf(client)).toBe(times);
    }
    expect(client.isClosed).toBe(false);
  });

  it("run one request at a time, in order, and none after the client disconnects", async () => {
    const begun: string[] = [];
    let [atWork, most] = [0, 0];
    const http = createServer(
      boundPipelining(({ url = "" }, response) => {
        begun.push(url);
        most = Math.max(most, ++atWork);
        setTimeout(() => {
          atWork -= 1;
          response.end("x".repeat(10));
        }, 20); // longer than it takes to see that a client has gone
      }),
    );
    await once(http.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const paths = Array.from({ length: 10 }, (_, index) => `/${index}`);
    try {
      using client = await RawClient.connect(url);
      client.say(paths.map((path) => get(path)).join(""));
      await expect.poll(() => answersOf(client)).toBe(10);
      expect([begun, most]).toEqual([paths, 1]);
      begun.length = 0;
      const gone = await RawClient.connect(url);
      gone.say(paths.map((path) => get(path)).join(""));
      await expect.poll(() => begun.length, { interval: 2 }).toBeGreaterThan(0);
      gone[Symbol.dispose]();
      await expect.poll(() => atWork).toBe(0);
      expect(begun.length).toBeLessThan(10);
    } finally {
      http.closeAllConnections();
      http.close();
    }
  });

  it.each([
    ["/posts.json", get("/posts.json")],
    ["/tags.json", get("/tags.json")],
    ["that expect what is not known", get("/posts.json").replace("Host:", "Expect: miracles\r\nHost:")],
  ])("are closed with more than 16 unanswered requests, while others are served: %s", async (_, text) => {
    const before = test.log.length;
    const crowd = await RawClient.crowd(test.url, 1, text.repeat(2_000));
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await test.anonymous.get("/posts.json")).status),
    );
    expect(statuses).toEqual(Array<number>(10).fill(200));
    for (const client of crowd) await expect.poll(() => client.isClosed).toBe(true);
    expect(test.log.length - before).toBeLessThan(100);
  });
});
