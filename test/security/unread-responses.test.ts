/** Large responses, which stay in memory for as long as their clients don't read them. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { growth } from "../support/metrics.js";
import { get } from "../support/raw-client.js";

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
