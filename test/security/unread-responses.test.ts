/** Large responses, which stay in memory for as long as their clients don't read them. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { copyPost } from "../support/copies.js";
import { growth } from "../support/metrics.js";
import { get, RawClient } from "../support/raw-client.js";

const PAGES = 100;
const LIST = "/wiki_pages.json?limit=100";
/** Bytes of the list: more than the system buffers for a connection. */
const BYTES = PAGES * 80_000 * 3;

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard({ RESPONSE_BYTES_IN_FLIGHT: "1000000" });
  const { id } = await test.make.user("Member");
  await test.board.database.execute(sql`
    INSERT INTO wiki_pages (title, body, creator_id, updater_id, updated_at)
    SELECT 'page_' || n, repeat('狐', 80000), ${id}, ${id}, now() FROM generate_series(1, ${PAGES}) n`);
});
afterAll(() => test[Symbol.asyncDispose]());

describe("a client that does not read its response", () => {
  it("is disconnected when those of all clients take more than RESPONSE_BYTES_IN_FLIGHT", async () => {
    const socket = connect(Number(new URL(test.url).port), "127.0.0.1");
    socket.write(get(LIST));
    await once(socket, "data");
    socket.pause();
    expect((await test.anonymous.get(LIST)).json).toHaveLength(PAGES);
    socket.resume();
    await once(socket, "close");
    expect(socket.bytesRead).toBeLessThan(BYTES);
  });

  it("gets it as it was made when it reads on, whatever responses others have got meanwhile", async () => {
    await copyPost(test, (await test.make.post("first")).id, 25);
    await copyPost(test, (await test.make.post("second")).id, 25);
    const [list, other] = ["/posts.json?limit=50&tags=first", "/posts.json?limit=50&tags=second"];
    using client = await RawClient.connect(test.url);
    const bodies = () =>
      client.received
        .split("HTTP/1.1 200 OK")
        .slice(1)
        .map((answer) => answer.slice(answer.indexOf("\r\n\r\n") + 4));
    client.say(get(list));
    await expect.poll(() => bodies().join()).toMatch(/\]$/);
    const expected = bodies().join();
    client.stopReading();
    const before = test.log.length;
    let sent = 0;
    const answered = () => test.log.slice(before).filter(({ route }) => route === "/posts").length - sent;
    for (; sent - answered() < 10; sent += 1) {
      client.say(get(list)); // one after the other, until the system buffers no more of them
      await test.anonymous.get(other);
    }
    client.readAgain();
    const length = (sent + 1) * expected.length;
    await expect.poll(() => bodies().join("").length).toBe(length);
    expect(new Set(bodies())).toEqual(new Set([expected]));
  });

  it.each(["destroy", "resetAndDestroy"] as const)(
    "is logged as aborted, and counted with status 499, when it leaves: %s",
    async (leave) => {
      const labels = { method: "GET", route: "/wiki_pages", status: 499 };
      const outcomes = () => test.log.filter(({ route }) => route === "/wiki_pages").map(({ msg }) => msg);
      const before = outcomes();
      const counted = await growth(test.anonymous, "graphbooru_http_requests_total", labels, async () => {
        const socket = connect(Number(new URL(test.url).port), "127.0.0.1");
        socket.write(get(LIST));
        await once(socket, "data");
        socket[leave]();
        await expect.poll(outcomes).toEqual([...before, "request aborted"]);
      });
      expect(counted).toBe(1);
    },
  );
});
